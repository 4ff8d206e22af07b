import type { CapabilityStatement } from 'fhir/r4.js';
import { US_CORE } from './elements.ts';

export type SearchedType =
  | 'Patient'
  | 'Coverage'
  | 'ServiceRequest'
  | 'DiagnosticReport'
  | 'Observation';

export interface SearchParameter {
  readonly name: string;
  readonly type: 'token' | 'string' | 'date' | 'reference';
  readonly documentation: string;
}

const ID: SearchParameter = { name: '_id', type: 'token', documentation: 'Id of the resource' };
const LAST_UPDATED: SearchParameter = {
  name: '_lastUpdated',
  type: 'date',
  documentation: 'When it last changed here',
};
const CATEGORY: SearchParameter = {
  name: 'category',
  type: 'token',
  documentation: 'Code of its category',
};
const CODE: SearchParameter = {
  name: 'code',
  type: 'token',
  documentation: 'LOINC code of what was measured',
};
const STATUS: SearchParameter = { name: 'status', type: 'token', documentation: 'Its status' };
const COLLECTED: SearchParameter = {
  name: 'date',
  type: 'date',
  documentation: 'When it was measured, or its specimen taken',
};

/** A patient's resources are searched with one of these names of the patient. */
function ofPatient(
  other: 'beneficiary' | 'subject',
  ...more: SearchParameter[]
): SearchParameter[] {
  const patient = (name: string): SearchParameter => ({
    name,
    type: 'reference',
    documentation: 'Whose: ID or Patient/ID; required',
  });
  return [patient('patient'), patient(other), ID, ...more, STATUS, LAST_UPDATED];
}

/** What a search accepts, by resource. */
export const SEARCH_PARAMETERS: Readonly<Record<SearchedType, readonly SearchParameter[]>> = {
  Patient: [
    ID,
    { name: 'identifier', type: 'token', documentation: 'Id in the system of the team' },
    { name: 'name', type: 'string', documentation: 'Names or parts of names; needs users:search' },
    { name: 'birthdate', type: 'date', documentation: 'Date of birth; needs users:search' },
    LAST_UPDATED,
  ],
  Coverage: ofPatient('beneficiary'),
  ServiceRequest: ofPatient('subject', CATEGORY, CODE, {
    name: 'authored',
    type: 'date',
    documentation: 'When it was ordered',
  }),
  DiagnosticReport: ofPatient('subject', CATEGORY, CODE, COLLECTED),
  Observation: ofPatient('subject', CATEGORY, CODE, COLLECTED),
};

const PROFILES: Readonly<Record<SearchedType, readonly string[]>> = {
  Patient: ['us-core-patient'],
  Coverage: ['us-core-coverage'],
  ServiceRequest: ['us-core-servicerequest'],
  DiagnosticReport: ['us-core-diagnosticreport-lab'],
  Observation: ['us-core-observation-lab', 'us-core-simple-observation'],
};

const TYPES = Object.keys(SEARCH_PARAMETERS) as SearchedType[];

/** @param of `base`: address of the FHIR server; `date`: of this version, as YYYY-MM-DD or with a time */
export function capabilityStatement(of: {
  readonly base: string;
  readonly version: string;
  readonly date: string;
}): CapabilityStatement {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: of.date,
    kind: 'instance',
    software: { name: 'Caregate', version: of.version },
    implementation: { description: 'Caregate, read only', url: of.base },
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        security: { description: 'Authorization: Bearer, with a key of the service' },
        resource: TYPES.map((type) => ({
          type,
          supportedProfile: PROFILES[type].map((name) => `${US_CORE}/${name}`),
          interaction: [{ code: 'read' }, { code: 'search-type' }],
          searchParam: [...SEARCH_PARAMETERS[type]],
        })),
      },
    ],
  };
}
