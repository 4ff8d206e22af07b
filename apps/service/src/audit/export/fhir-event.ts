import { instantOfRecord } from '../system-record.ts';
import { CODES, PROFILES, purposeOfUse } from './fhir-codes.ts';
import type { AuditEvent, AuditEventAgent, AuditEventEntity, Coding, Identifier } from 'fhir/r4.js';
import { kindOf, searchOf, type Kind } from './operation-kinds.ts';
import type { RecordBody } from '../record/record-body.ts';

/** FHIR R4 (IHE BALP), one event a patient. A profile is claimed only for successful reads and searches over the network. */
export function* fhirEvents(record: RecordBody, known: KnownOfRecord = {}): Generator<AuditEvent> {
  const patients = patientsOf(record);
  if (patients.length === 0) {
    yield eventOf(record, undefined, { ...known, at: 0 });
  }
  for (const [at, patient] of patients.entries()) {
    yield eventOf(record, patient, { ...known, at });
  }
}

export interface KnownOfRecord {
  /** Identifies the record where its position must not be revealed. */
  readonly recordId?: string;
  readonly actorName?: string | null;
}

function patientsOf(record: RecordBody): readonly string[] {
  const { asked_user_id: asked } = record.details;
  return record.patients.length > 0 || typeof asked !== 'string' ? record.patients : [asked];
}

function eventOf(
  record: RecordBody,
  patient: string | undefined,
  known: KnownOfRecord & { readonly at: number },
): AuditEvent {
  const kind = kindOf(record.operation);
  const profile = profileOf(record, kind, patient !== undefined);
  return {
    resourceType: 'AuditEvent',
    // The position of the record, to find its proof, and the index of the patient, for a search of several.
    id: `${known.recordId ?? `${record.log_id}-${record.seq}`}-${known.at}`,
    ...(profile !== undefined && { meta: { profile: [profile] } }),
    ...whatHappened(record, kind),
    recorded: instantOfRecord(record),
    outcome: outcomeOf(record),
    ...(record.reason_code !== null && { outcomeDesc: record.reason_code }),
    ...(record.purpose_of_use !== null && {
      purposeOfEvent: [{ coding: [purposeOfUse(record.purpose_of_use)] }],
    }),
    agent: agentsOf(record, kind, known),
    source: {
      observer: { identifier: { value: record.server_id }, display: record.server_id },
      type: [CODES.applicationServer],
    },
    ...entities(entitiesOf(record, kind, patient)),
  };
}

function profileOf(record: RecordBody, { form }: Kind, hasPatient: boolean): string | undefined {
  const isWhole = record.client_ip !== null && record.actor_type !== 'system';
  if (record.decision !== 'allowed' || !isWhole) {
    return undefined;
  }
  switch (form) {
    case 'read':
      return hasPatient ? PROFILES.patientRead : PROFILES.read;
    case 'search':
      return hasPatient ? PROFILES.patientQuery : PROFILES.query;
    case 'audit':
    case 'export':
    case 'alert':
    case 'other':
      return undefined;
  }
}

function whatHappened(
  { operation }: RecordBody,
  { form }: Kind,
): Pick<AuditEvent, 'type' | 'subtype' | 'action'> {
  // Our operation names have no code system.
  const named: Coding = { code: operation };
  switch (form) {
    case 'read':
      return { type: CODES.rest, subtype: [CODES.read, named], action: 'R' };
    case 'search':
      return { type: CODES.rest, subtype: [CODES.search, named], action: 'E' };
    case 'audit':
      return { type: CODES.auditLogUsed, subtype: [named], action: 'R' };
    case 'export':
      return { type: CODES.export, subtype: [named], action: 'R' };
    case 'alert':
      return { type: CODES.securityAlert, subtype: [named], action: 'E' };
    case 'other':
      return { type: CODES.applicationActivity, subtype: [named], action: 'E' };
  }
}

function outcomeOf({ decision }: RecordBody): '0' | '4' | '8' {
  switch (decision) {
    case 'allowed':
      return '0';
    case 'denied':
    case 'not_found':
    case 'invalid':
      return '4';
    case 'failed':
      return '8';
  }
}

/** Read: the client is Destination (110152), the server Source (110153), as data goes. Query: the reverse, as BALP has it. */
function agentsOf(
  record: RecordBody,
  { form }: Kind,
  { actorName }: KnownOfRecord,
): AuditEventAgent[] {
  const name = actorName === undefined || actorName === null ? {} : { name: actorName };
  const isPerson = record.actor_type === 'person' || record.actor_type === 'staff';
  const serverAgent = {
    who: { identifier: { value: record.server_id }, display: record.server_id },
    network: { address: record.server_id, type: '1' },
  } as const;
  if (record.actor_type === 'system') {
    const who = record.actor_id;
    return [
      ...(who === null ? [] : [{ who: { display: who }, requestor: true }]),
      { ...serverAgent, type: concept(CODES.application), requestor: who === null },
    ];
  }
  const isRead = form === 'read';
  const purpose = record.purpose_of_use;
  const purposes = purpose === null ? {} : { purposeOfUse: [concept(purposeOfUse(purpose))] };
  const roles = record.role === null ? {} : { role: [{ text: record.role }] };
  const client: AuditEventAgent = {
    type: concept(isRead ? CODES.destination : CODES.source),
    who: clientOf(record),
    requestor: !isPerson,
    ...(record.client_ip !== null && { network: { address: record.client_ip, type: '2' } }),
    ...(record.break_glass_id !== null && { policy: [`urn:uuid:${record.break_glass_id}`] }),
    ...(isPerson ? {} : { ...roles, ...purposes, ...name }),
  };
  const server: AuditEventAgent = {
    ...serverAgent,
    type: concept(isRead ? CODES.source : CODES.destination),
    requestor: false,
  };
  const person: AuditEventAgent = {
    type: concept(CODES.recipient),
    who: identified(record.actor_id),
    requestor: true,
    ...roles,
    ...purposes,
    ...name,
  };
  return [client, server, ...(isPerson ? [person] : [])];
}

function clientOf(record: RecordBody): NonNullable<AuditEventAgent['who']> {
  if (record.actor_type === 'anonymous') {
    return {
      display: `without a valid key, from ${String(record.details['client_prefix'] ?? '?')}`,
    };
  }
  return identified(record.key_id ?? record.device_id ?? record.actor_id);
}

function identified(value: string | null): NonNullable<AuditEventAgent['who']> {
  return value === null ? { display: 'unknown' } : { identifier: { value } };
}

function entitiesOf(
  record: RecordBody,
  kind: Kind,
  patient: string | undefined,
): AuditEventEntity[] {
  const found: AuditEventEntity[] = [];
  if (patient !== undefined) {
    const what = { type: 'Patient', identifier: uuid(patient) };
    found.push({ what, type: CODES.person, role: CODES.patient });
  }
  if (kind.form === 'read') {
    const identifier = record.order_id ?? patient;
    const what = {
      type: kind.resource,
      ...(identifier === undefined
        ? { display: record.data_category ?? record.operation }
        : { identifier: uuid(identifier) }),
    };
    found.push({ what, type: CODES.systemObject, role: CODES.domainResource });
  } else if (kind.form === 'search') {
    // BALP allows only one entity of this type in a search, the query, so there is none for the data.
    const query = Buffer.from(searchOf(record, kind)).toString('base64');
    found.push({ type: CODES.systemObject, role: CODES.query, query });
  } else {
    // FHIR has no empty texts.
    const detail = Object.entries(record.details)
      .map(([type, value]) => ({ type, valueString: String(value) }))
      .filter(({ type, valueString }) => type.trim() !== '' && valueString.trim() !== '');
    if (detail.length > 0) {
      const what = { display: record.data_category ?? record.operation };
      found.push({ what, type: CODES.systemObject, detail });
    }
  }
  if (record.request_id !== null) {
    found.push({ what: { identifier: { value: record.request_id } }, type: CODES.requestId });
  }
  return found;
}

function entities(entity: AuditEventEntity[]): Pick<AuditEvent, 'entity'> {
  return entity.length === 0 ? {} : { entity };
}

function concept(coding: Coding): { coding: Coding[] } {
  return { coding: [coding] };
}

function uuid(value: string): Identifier {
  return { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${value}` };
}
