import { hostname } from 'node:os';
import {
  packSortedUuids,
  readIds,
  type AuditLogOptions,
  type AuditReceipt,
  type RecordText,
} from '@caregate/audit-log';
import type { AuditActorType, AuditDecision } from '@caregate/domain';

/** The fields with a single value, except the position in the log, in the order of exports. */
export const RECORD_FIELDS = [
  'server_id',
  'team_id',
  'actor_type',
  'actor_id',
  'role',
  'key_id',
  'session_id',
  'operation',
  'data_category',
  'decision',
  'reason_code',
  'http_status',
  'purpose_of_use',
  'break_glass_id',
  'order_id',
  'record_count',
  'request_id',
  'client_ip',
  'device_id',
  'policy_version',
] as const;

type Field = (typeof RECORD_FIELDS)[number];
type NotText =
  | 'server_id'
  | 'actor_type'
  | 'operation'
  | 'decision'
  | 'http_status'
  | 'record_count';

/**
 * An audit record: who did something, read data, or was denied it. Never contains response data or a
 * `client_user_id`.
 */
export interface AuditRecord extends Readonly<Record<Exclude<Field, NotText>, string | null>> {
  readonly log_id: string;
  readonly seq: number;
  readonly recorded_at_us: number;
  readonly server_id: string;
  readonly actor_type: AuditActorType;
  readonly operation: string;
  readonly decision: AuditDecision;
  readonly http_status: number | null;
  readonly record_count: number | null;
  /** Coded values and query parameters from an allow-list. Contains no free text. */
  readonly details: Readonly<Record<string, string | number>>;
  /** The lower-case UUIDs of all patients whose data was returned, sorted. */
  readonly patients: readonly string[];
}

/**
 * The content of a record. A missing field becomes null; a missing actor is the system, and a missing decision
 * `allowed`.
 */
export type AuditEntry = Pick<AuditRecord, 'operation'> &
  Partial<Omit<AuditRecord, 'log_id' | 'seq' | 'recorded_at_us' | 'server_id'>>;

export interface AuditRecorder {
  /**
   * Resolves when the record is durable.
   * @throws AuditLogError if the record exceeds 1 MiB; AuditUnavailableError if the log can't accept it: the response
   * MUST then be a 503. The record of a failed commit may still appear in the log.
   */
  record(entry: AuditEntry): Promise<AuditReceipt>;
  close(): Promise<void>;
}

/** The members of records that are copied to columns, for searching. */
export const members: AuditLogOptions['members'] = {
  time: 'recorded_at_us',
  texts: ['team_id', 'actor_id', 'operation', 'decision'],
  ids: { one: 'patient', many: 'patients' },
};

const THIS_MACHINE = hostname();

/**
 * Returns the RFC 8785 text of a record, before and after the time that the log inserts, with the members sorted by
 * name. Never throws. NUL and lone surrogates, which PostgreSQL refuses and SQLite changes in columns, become U+FFFD.
 * A loop over the names instead of this list would take twice as long.
 */
export function toRecordText(entry: AuditEntry, serverId = THIS_MACHINE): RecordText {
  const { patients = [], details = {} } = entry;
  const packed = patients.length < 2 ? undefined : packSortedUuids(patients);
  const before = JSON.stringify({
    actor_id: entry.actor_id ?? null,
    actor_type: entry.actor_type ?? 'system',
    break_glass_id: entry.break_glass_id ?? null,
    client_ip: entry.client_ip ?? null,
    data_category: entry.data_category ?? null,
    decision: entry.decision ?? 'allowed',
    details: sortByName(details),
    device_id: entry.device_id ?? null,
    http_status: entry.http_status ?? null,
    key_id: entry.key_id ?? null,
    operation: entry.operation,
    order_id: entry.order_id ?? null,
    patients: packed ?? [...new Set(patients)].sort(),
    policy_version: entry.policy_version ?? null,
    purpose_of_use: entry.purpose_of_use ?? null,
    reason_code: entry.reason_code ?? null,
    record_count: entry.record_count ?? null,
  });
  const after = JSON.stringify({
    request_id: entry.request_id ?? null,
    role: entry.role ?? null,
    server_id: serverId,
    session_id: entry.session_id ?? null,
    team_id: entry.team_id ?? null,
  });
  return [
    replaceBadCharacters(`${before.slice(0, -1)},"recorded_at_us":`),
    replaceBadCharacters(`,${after.slice(1)}`),
  ];
}

/** No detail has a number as its name, which JavaScript would put first. */
function sortByName(details: AuditRecord['details']): AuditRecord['details'] {
  const members = Object.entries(details);
  return members.length < 2
    ? details
    : Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function replaceBadCharacters(json: string): string {
  return json.includes('\\u')
    ? json.replaceAll(/\\(?:u0000|ud[89a-f]..|.)/gu, (escape) =>
        /^\\u(?:0000|d)/u.test(escape) ? '\uFFFD' : escape,
      )
    : json;
}

const NO_VALUES = Object.fromEntries(RECORD_FIELDS.map((field) => [field, null]));

export function parseRecord(text: string, { logId, seq }: AuditReceipt): AuditRecord {
  const body = JSON.parse(text) as AuditRecord;
  return { ...NO_VALUES, ...body, log_id: logId, seq, patients: readIds(body.patients) };
}

export function formatRecordTime({
  recorded_at_us: us,
}: Pick<AuditRecord, 'recorded_at_us'>): string {
  return new Date(us / 1000).toISOString();
}

export interface RecordFilter {
  /** Microseconds since 1970. Both bounds are inclusive. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  readonly team?: string | undefined;
  /** ID of an API key or staff member, or the actor of a system event. */
  readonly actor?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly decision?: AuditDecision | undefined;
  /** Lower-case UUID of a patient whose data was returned. */
  readonly patient?: string | undefined;
  /** Lower-case UUID of a patient whose data was returned or requested. */
  readonly about?: string | undefined;
}

export function matchesFilter(filter: RecordFilter, record: AuditRecord): boolean {
  const { fromUs, toUs, team, actor, operations, decision, patient, about } = filter;
  return (
    record.recorded_at_us >= (fromUs ?? -Infinity) &&
    record.recorded_at_us <= (toUs ?? Infinity) &&
    (team === undefined || record.team_id === team) &&
    (actor === undefined || record.actor_id === actor) &&
    (operations?.includes(record.operation) ?? true) &&
    (decision === undefined || record.decision === decision) &&
    (patient === undefined || record.patients.includes(patient)) &&
    (about === undefined ||
      record.patients.includes(about) ||
      record.details['asked_user_id'] === about)
  );
}
