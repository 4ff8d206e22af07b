import type { Coding } from 'fhir/r4.js';

// Validators compare the display texts with those of the code systems.

const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const eventType = 'http://terminology.hl7.org/CodeSystem/audit-event-type';
const interaction = 'http://hl7.org/fhir/restful-interaction';
const entityType = 'http://terminology.hl7.org/CodeSystem/audit-entity-type';
const objectRole = 'http://terminology.hl7.org/CodeSystem/object-role';

/** IHE Basic Audit Log Patterns, https://profiles.ihe.net/ITI/BALP. */
const balp = 'https://profiles.ihe.net/ITI/BALP';

export const PROFILES = {
  read: `${balp}/StructureDefinition/IHE.BasicAudit.Read`,
  patientRead: `${balp}/StructureDefinition/IHE.BasicAudit.PatientRead`,
  query: `${balp}/StructureDefinition/IHE.BasicAudit.Query`,
  patientQuery: `${balp}/StructureDefinition/IHE.BasicAudit.PatientQuery`,
} as const;

export const CODES = {
  rest: { system: eventType, code: 'rest', display: 'RESTful Operation' },
  read: { system: interaction, code: 'read', display: 'read' },
  search: { system: interaction, code: 'search', display: 'search' },
  applicationActivity: { system: DCM, code: '110100', display: 'Application Activity' },
  auditLogUsed: { system: DCM, code: '110101', display: 'Audit Log Used' },
  export: { system: DCM, code: '110106', display: 'Export' },
  securityAlert: { system: DCM, code: '110113', display: 'Security Alert' },
  application: { system: DCM, code: '110150', display: 'Application' },
  destination: { system: DCM, code: '110152', display: 'Destination Role ID' },
  source: { system: DCM, code: '110153', display: 'Source Role ID' },
  recipient: {
    system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType',
    code: 'IRCP',
    display: 'information recipient',
  },
  applicationServer: {
    system: 'http://terminology.hl7.org/CodeSystem/security-source-type',
    code: '4',
    display: 'Application Server',
  },
  person: { system: entityType, code: '1', display: 'Person' },
  systemObject: { system: entityType, code: '2', display: 'System Object' },
  patient: { system: objectRole, code: '1', display: 'Patient' },
  domainResource: { system: objectRole, code: '4', display: 'Domain Resource' },
  query: { system: objectRole, code: '24', display: 'Query' },
  requestId: { system: `${balp}/CodeSystem/BasicAuditEntityType`, code: 'XrequestId' },
} as const satisfies Record<string, Coding>;

export function toPurposeOfUse(code: string): Coding {
  return { system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code };
}
