import type { AuditEntry } from './audit-entry.ts';
import { packSortedUuids } from './packed-uuids.ts';

/** Version 1 never packs `patients`. */
const bodyVersion = 2;

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

/** Packed if there are several, and all are UUIDs. */
function patientsText(patients: readonly string[]): string {
  const packed = patients.length < 2 ? undefined : packSortedUuids(patients);
  return packed === undefined ? `[${sorted(patients).map(text).join()}]` : `"${packed}"`;
}

function sorted(patients: readonly string[]): string[] {
  return [...new Set(patients.map(wellFormed))].sort();
}

function detailsText(details: AuditEntry['details'] = {}): string {
  const members = new Map(
    Object.entries(details).map(([name, value]) => [wellFormed(name), value] as const),
  );
  const texts = [...members.keys()].sort().map((name) => {
    const value = members.get(name);
    return `${text(name)}:${typeof value === 'string' ? text(value) : number(value)}`;
  });
  return `{${texts.join()}}`;
}

function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
}
