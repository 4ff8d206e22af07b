import { hostname } from 'node:os';
import { AuditLogError, packSortedUuids } from '@caregate/audit-log';
import type { AuditEntry } from './audit-entry.ts';

export interface Origin {
  /** Who writes the record. Default: the name of this machine. */
  readonly serverId?: string | undefined;
  readonly atMs?: number;
}

const machine = hostname();

/** RFC 8785; sorting the keys was most of the cost. A lone surrogate becomes U+FFFD, a missing field null: no record fails. */
export function recordText(
  entry: AuditEntry,
  { serverId = machine, atMs = Date.now() }: Origin = {},
): string {
  return (
    `{"actor_id":${text(entry.actorId)},"actor_type":${text(entry.actorType)}` +
    `,"break_glass_id":${text(entry.breakGlassId)},"client_ip":${text(entry.clientIp)}` +
    `,"data_category":${text(entry.dataCategory)},"decision":${text(entry.decision)}` +
    `,"details":${detailsText(entry.details)},"device_id":${text(entry.deviceId)}` +
    `,"http_status":${number(entry.httpStatus)},"key_id":${text(entry.keyId)}` +
    `,"operation":${text(entry.operation)},"order_id":${text(entry.orderId)}` +
    `,"patients":${patientsText(entry.patients)},"policy_version":${text(entry.policyVersion)}` +
    `,"purpose_of_use":${text(entry.purposeOfUse)},"reason_code":${text(entry.reasonCode)}` +
    `,"record_count":${number(entry.recordCount)},"recorded_at_us":${number(atMs * 1000)}` +
    `,"request_id":${text(entry.requestId)},"role":${text(entry.role)}` +
    `,"server_id":${text(serverId)},"session_id":${text(entry.sessionId)}` +
    `,"team_id":${text(entry.teamId)}}`
  );
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
  const sorted = (): string[] => [...new Set(patients.map(wellFormed))].sort();
  return packed === undefined ? `[${sorted().map(text).join()}]` : `"${packed}"`;
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

const filledTexts = ['actor_type', 'decision', 'operation', 'server_id'];
const textsOrNull = [
  'actor_id',
  'break_glass_id',
  'client_ip',
  'data_category',
  'device_id',
  'key_id',
  'order_id',
  'policy_version',
  'purpose_of_use',
  'reason_code',
  'request_id',
  'role',
  'session_id',
  'team_id',
];
const numbersOrNull = ['http_status', 'record_count'];

/** Requires the text of a record that another process made. @throws AuditLogError naming the first wrong member */
export function requireRecord(written: string): void {
  const record = Object(JSON.parse(written)) as Readonly<Record<string, unknown>>;
  const { recorded_at_us: at, patients, details } = record;
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isDetail = (value: unknown): boolean => isText(value) || typeof value === 'number';
  const isPatients = Array.isArray(patients) ? patients.every(isText) : isText(patients);
  const isDetails = details?.constructor === Object && Object.values(details).every(isDetail);
  const wrong =
    filledTexts.find((name) => !isText(record[name]) || record[name] === '') ??
    textsOrNull.find((name) => record[name] !== null && !isText(record[name])) ??
    numbersOrNull.find((name) => typeof (record[name] ?? 0) !== 'number') ??
    (Number.isSafeInteger(at) ? undefined : 'recorded_at_us') ??
    (isPatients ? undefined : 'patients') ??
    (isDetails ? undefined : 'details');
  if (wrong !== undefined) {
    throw new AuditLogError(`The audit record has no valid ${wrong}`);
  }
}
