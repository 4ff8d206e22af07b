import type { AuditEvent, AuditEventAgent, AuditEventEntity, Coding, Identifier } from 'fhir/r4.js';
import { type FhirKind, isOperation, OPERATIONS } from '../../operations/operations.ts';
import { ALARM_OPERATIONS } from '../audit-entries.ts';
import { formatRecordTime, type AuditRecord } from '../audit-record.ts';
import { CODES, PROFILES, toPurposeOfUse } from './fhir-codes.ts';

export interface RecordNames {
  /** Identifies the record for readers who must not know its position. */
  readonly recordId?: string;
  readonly actorName?: string | null;
}

/**
 * Converts a record to FHIR R4 AuditEvents (IHE BALP), one for each patient. Only successful reads and searches over
 * the network claim a profile.
 */
export function* toFhirEvents(record: AuditRecord, names: RecordNames = {}): Generator<AuditEvent> {
  const { asked_user_id: requestedUserId } = record.details;
  const requestedPatients = typeof requestedUserId === 'string' ? [requestedUserId] : [undefined];
  const patients = record.patients.length > 0 ? record.patients : requestedPatients;
  for (const [at, patient] of patients.entries()) {
    yield describeEvent(record, patient, { ...names, at });
  }
}

/** How operations are coded, by their form. The service's operation names have no code system. */
const FORMS = {
  read: { type: CODES.rest, interaction: [CODES.read], action: 'R' },
  search: { type: CODES.rest, interaction: [CODES.search], action: 'E' },
  audit: { type: CODES.auditLogUsed, interaction: [], action: 'R' },
  export: { type: CODES.export, interaction: [], action: 'R' },
  alert: { type: CODES.securityAlert, interaction: [], action: 'E' },
  other: { type: CODES.applicationActivity, interaction: [], action: 'E' },
} as const satisfies Record<FhirKind['form'], object>;

const AUDIT_COMMANDS: readonly string[] = [
  'exportAudit',
  'exportPerson',
  'listAlarms',
  'proveInclusion',
  'showRecord',
];

function findKind(operation: string): FhirKind {
  if (isOperation(operation)) {
    return OPERATIONS[operation].fhir;
  }
  if (ALARM_OPERATIONS.includes(operation)) {
    return { form: 'alert' };
  }
  return { form: AUDIT_COMMANDS.includes(operation) ? 'audit' : 'other' };
}

function describeEvent(
  record: AuditRecord,
  patient: string | undefined,
  names: RecordNames & { readonly at: number },
): AuditEvent {
  const kind = findKind(record.operation);
  const { type, interaction, action } = FORMS[kind.form];
  const profile = chooseProfile(record, kind, patient !== undefined);
  const entity = buildEntities(record, kind, patient);
  return {
    resourceType: 'AuditEvent',
    // The position of the record, with which its proof can be found, and the index of the patient.
    id: `${names.recordId ?? `${record.log_id}-${record.seq}`}-${names.at}`,
    ...(profile !== undefined && { meta: { profile: [profile] } }),
    ...{ type, subtype: [...interaction, { code: record.operation }], action },
    recorded: formatRecordTime(record),
    outcome: OUTCOMES[record.decision],
    ...(record.reason_code !== null && { outcomeDesc: record.reason_code }),
    ...(record.purpose_of_use !== null && {
      purposeOfEvent: [{ coding: [toPurposeOfUse(record.purpose_of_use)] }],
    }),
    agent: buildAgents(record, kind, names),
    source: {
      observer: { identifier: { value: record.server_id }, display: record.server_id },
      type: [CODES.applicationServer],
    },
    ...(entity.length > 0 && { entity }),
  };
}

const OUTCOMES = { allowed: '0', denied: '4', not_found: '4', invalid: '4', failed: '8' } as const;

function chooseProfile(
  record: AuditRecord,
  { form }: FhirKind,
  hasPatient: boolean,
): string | undefined {
  const isNetworkRequest = record.client_ip !== null && record.actor_type !== 'system';
  if (record.decision !== 'allowed' || !isNetworkRequest) {
    return undefined;
  }
  if (form === 'read') {
    return hasPatient ? PROFILES.patientRead : PROFILES.read;
  }
  return form !== 'search' ? undefined : hasPatient ? PROFILES.patientQuery : PROFILES.query;
}

/**
 * In a read, the client is the Destination (110152) of the data and the server its Source (110153). BALP reverses
 * them for a query.
 */
function buildAgents(
  record: AuditRecord,
  { form }: FhirKind,
  { actorName }: RecordNames,
): AuditEventAgent[] {
  const name = actorName === undefined || actorName === null ? {} : { name: actorName };
  const isPerson = record.actor_type === 'staff';
  const serverAgent = {
    who: { identifier: { value: record.server_id }, display: record.server_id },
    network: { address: record.server_id, type: '1' },
  } as const;
  if (record.actor_type === 'system') {
    const who = record.actor_id;
    return [
      ...(who === null ? [] : [{ who: { display: who }, requestor: true }]),
      { ...serverAgent, type: toCodeableConcept(CODES.application), requestor: who === null },
    ];
  }
  const isRead = form === 'read';
  const purpose = record.purpose_of_use;
  const purposes =
    purpose === null ? {} : { purposeOfUse: [toCodeableConcept(toPurposeOfUse(purpose))] };
  const roles = record.role === null ? {} : { role: [{ text: record.role }] };
  const client: AuditEventAgent = {
    type: toCodeableConcept(isRead ? CODES.destination : CODES.source),
    who: describeClient(record),
    requestor: !isPerson,
    ...(record.client_ip !== null && { network: { address: record.client_ip, type: '2' } }),
    ...(record.break_glass_id !== null && { policy: [`urn:uuid:${record.break_glass_id}`] }),
    ...(isPerson ? {} : { ...roles, ...purposes, ...name }),
  };
  const server: AuditEventAgent = {
    ...serverAgent,
    type: toCodeableConcept(isRead ? CODES.source : CODES.destination),
    requestor: false,
  };
  const person: AuditEventAgent = {
    type: toCodeableConcept(CODES.recipient),
    who: toReference(record.actor_id),
    requestor: true,
    ...roles,
    ...purposes,
    ...name,
  };
  return [client, server, ...(isPerson ? [person] : [])];
}

function describeClient(record: AuditRecord): NonNullable<AuditEventAgent['who']> {
  if (record.actor_type === 'anonymous') {
    return {
      display: `without a valid key, from ${String(record.details['client_prefix'] ?? '?')}`,
    };
  }
  return toReference(record.key_id ?? record.device_id ?? record.actor_id);
}

function toReference(value: string | null): NonNullable<AuditEventAgent['who']> {
  return value === null ? { display: 'unknown' } : { identifier: { value } };
}

function buildEntities(
  record: AuditRecord,
  kind: FhirKind,
  patient: string | undefined,
): AuditEventEntity[] {
  const entities: AuditEventEntity[] = [];
  if (patient !== undefined) {
    const what = { type: 'Patient', identifier: toUuidIdentifier(patient) };
    entities.push({ what, type: CODES.person, role: CODES.patient });
  }
  if (kind.form === 'read') {
    const identifier = record.order_id ?? patient;
    const what = {
      type: kind.resource,
      ...(identifier === undefined
        ? { display: record.data_category ?? record.operation }
        : { identifier: toUuidIdentifier(identifier) }),
    };
    entities.push({ what, type: CODES.systemObject, role: CODES.domainResource });
  } else if (kind.form === 'search') {
    // In a search, BALP allows only one entity of this type, which is the query, so the data has no entity.
    const query = Buffer.from(describeSearch(record)).toString('base64');
    entities.push({ type: CODES.systemObject, role: CODES.query, query });
  } else {
    // FHIR allows no empty strings.
    const detail = Object.entries(record.details)
      .map(([type, value]) => ({ type, valueString: String(value) }))
      .filter(({ type, valueString }) => type.trim() !== '' && valueString.trim() !== '');
    if (detail.length > 0) {
      const what = { display: record.data_category ?? record.operation };
      entities.push({ what, type: CODES.systemObject, detail });
    }
  }
  if (record.request_id !== null) {
    entities.push({ what: { identifier: { value: record.request_id } }, type: CODES.requestId });
  }
  return entities;
}

const SEARCH_PARAMETERS = [
  ...['start_date', 'end_date', 'updated_start_date', 'updated_end_date', 'provider'],
  ...['category', 'status', 'date', 'authored', '_lastUpdated', '_count'],
  ...['interpretation', 'order_key', 'order_direction', 'offset', 'limit', 'page', 'size'],
];

/** Returns the request line, as far as the audit log has it. */
function describeSearch({ operation, details }: AuditRecord): string {
  const { method, path } = isOperation(operation)
    ? OPERATIONS[operation]
    : { method: '', path: '' };
  const names = SEARCH_PARAMETERS.filter((name) => details[name] !== undefined);
  const query = new URLSearchParams(
    Object.fromEntries(names.map((name) => [name, String(details[name])])),
  );
  const requestedUserId = String(details['asked_user_id'] ?? 'unknown');
  return `${method} ${path.replace('{user_id}', requestedUserId)}${query.size === 0 ? '' : `?${String(query)}`}`;
}

function toCodeableConcept(coding: Coding): { coding: Coding[] } {
  return { coding: [coding] };
}

function toUuidIdentifier(value: string): Identifier {
  return { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${value}` };
}
