import type { AuditEntry } from './audit-entry.ts';
import { canonicalJson, type CanonicalValue } from './canonical-json.ts';
import { packSortedUuids, packUuids } from './packed-uuids.ts';

/** Version 1 never packs `patients`. */
const bodyVersion = 2;

/** Fewer patients are not packed. */
const fewestPacked = 2;

/** Fields that the log adds to an entry, beside its number. */
export interface Origin {
  readonly logId: string;
  readonly recordedAtUs: number;
  readonly serverId: string;
}

export interface NewRecord {
  readonly entry: AuditEntry;
  readonly recordedAtUs: number;
}

export interface Place extends Origin {
  readonly seq: number;
}

/** The text of a record before and after its number, which may not be known yet. */
export interface TextAroundSeq {
  readonly head: string;
  readonly tail: string;
}

/**
 * The text of an entry (RFC 8785), written in key order: sorting the keys was most of the cost. A lone surrogate becomes U+FFFD
 * and a missing field null, rather than failing the record.
 */
export function textAroundSeq(
  entry: AuditEntry,
  { logId, recordedAtUs, serverId }: Origin,
): TextAroundSeq {
  const head =
    `{"actor_id":${text(entry.actorId)},"actor_type":${text(entry.actorType)}` +
    `,"break_glass_id":${text(entry.breakGlassId)},"client_ip":${text(entry.clientIp)}` +
    `,"data_category":${text(entry.dataCategory)},"decision":${text(entry.decision)}` +
    `,"details":${detailsText(entry.details)},"device_id":${text(entry.deviceId)}` +
    `,"http_status":${number(entry.httpStatus)},"key_id":${text(entry.keyId)}` +
    `,"log_id":${text(logId)},"operation":${text(entry.operation)}` +
    `,"order_id":${text(entry.orderId)},"patients":${patientsText(entry.patients)}` +
    `,"policy_version":${text(entry.policyVersion)},"purpose_of_use":${text(entry.purposeOfUse)}` +
    `,"reason_code":${text(entry.reasonCode)},"record_count":${number(entry.recordCount)}` +
    `,"recorded_at_us":${number(recordedAtUs)},"request_id":${text(entry.requestId)}` +
    `,"role":${text(entry.role)},"seq":`;
  const tail =
    `,"server_id":${text(serverId)},"session_id":${text(entry.sessionId)}` +
    `,"team_id":${text(entry.teamId)},"version":${bodyVersion}}`;
  return { head, tail };
}

/** The whole text of a record, and its patients, sorted and without duplicates. */
export function auditBody(entry: AuditEntry, place: Place): { body: string; patients: string[] } {
  const { head, tail } = textAroundSeq(entry, place);
  return { body: head + String(place.seq) + tail, patients: sorted(entry.patients) };
}

/** Sorted, without duplicates, packed if possible. */
export function patientsField(patients: readonly string[]): string | readonly string[] {
  return (patients.length < fewestPacked ? undefined : packUuids(patients)) ?? patients;
}

// Printable ASCII that JSON does not escape.
const plain = /^[ !#-[\]-~]*$/u;

function text(value: string | null | undefined): string {
  if (typeof value !== 'string') {
    return 'null';
  }
  return plain.test(value) ? `"${value}"` : JSON.stringify(wellFormed(value));
}

function number(value: number | null | undefined): string {
  return Number.isFinite(value) ? String(value) : 'null';
}

function patientsText(patients: readonly string[]): string {
  const [one] = patients;
  if (one === undefined) {
    return '[]';
  }
  if (patients.length === 1) {
    return `[${text(one)}]`;
  }
  const packed = packSortedUuids(patients);
  if (packed !== undefined) {
    return `"${packed}"`;
  }
  const field = patientsField(sorted(patients));
  return typeof field === 'string' ? text(field) : `[${field.map(text).join()}]`;
}

function sorted(patients: readonly string[]): string[] {
  return [...new Set(patients.map(wellFormed))].sort();
}

function detailsText(details: AuditEntry['details']): string {
  if (details === undefined) {
    return '{}';
  }
  let members = '';
  for (const name of Object.keys(details).sort()) {
    const value: unknown = details[name];
    if (!plain.test(name) || typeof value !== 'string') {
      return canonicalJson(clean(details));
    }
    members += `${members === '' ? '' : ','}"${name}":${text(value)}`;
  }
  return `{${members}}`;
}

function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Replaces lone surrogates with U+FFFD, and values without a JSON form with null. */
function clean(value: unknown): CanonicalValue {
  if (typeof value === 'string') {
    return wellFormed(value);
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : null;
  }
  if (Array.isArray(value)) {
    return value.map(clean);
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [wellFormed(key), clean(member)]);
    return Object.fromEntries(members) as CanonicalValue;
  }
  return typeof value === 'boolean' ? value : null;
}
