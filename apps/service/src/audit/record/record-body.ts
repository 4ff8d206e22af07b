import { readIds, type AuditLogOptions, type AuditReceipt } from '@caregate/audit-log';
import type { AuditActorType, AuditDecision } from './audit-entry.ts';

export interface RecordBody {
  readonly log_id: string;
  readonly seq: number;
  readonly recorded_at_us: number;
  readonly server_id: string;
  readonly team_id: string | null;
  readonly actor_type: AuditActorType;
  readonly actor_id: string | null;
  readonly role: string | null;
  readonly key_id: string | null;
  readonly session_id: string | null;
  readonly operation: string;
  readonly data_category: string | null;
  readonly decision: AuditDecision;
  readonly reason_code: string | null;
  readonly http_status: number | null;
  readonly purpose_of_use: string | null;
  readonly break_glass_id: string | null;
  readonly order_id: string | null;
  readonly record_count: number | null;
  readonly request_id: string | null;
  readonly client_ip: string | null;
  readonly device_id: string | null;
  readonly policy_version: string | null;
  readonly details: Readonly<Record<string, string | number>>;
  /** Lower-case UUIDs, sorted. */
  readonly patients: readonly string[];
}

const missing = {
  team_id: null,
  actor_id: null,
  role: null,
  key_id: null,
  session_id: null,
  data_category: null,
  reason_code: null,
  http_status: null,
  purpose_of_use: null,
  break_glass_id: null,
  order_id: null,
  record_count: null,
  request_id: null,
  client_ip: null,
  device_id: null,
  policy_version: null,
};

export function parseRecord(text: string, { logId, seq }: AuditReceipt): RecordBody {
  const body = JSON.parse(text) as Omit<RecordBody, 'patients'> & { readonly patients?: unknown };
  return { ...missing, ...body, log_id: logId, seq, patients: readIds(body.patients) };
}

export interface RecordFilter {
  /** Microseconds since 1970, inclusive both. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  readonly team?: string | undefined;
  /** Key id, person, or the actor of a system event. */
  readonly actor?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly decision?: AuditDecision | undefined;
  /** Lower-case UUID: their data was returned. */
  readonly patient?: string | undefined;
  /** Lower-case UUID: their data was returned or asked for. */
  readonly about?: string | undefined;
}

export function isMatch(filter: RecordFilter, record: RecordBody): boolean {
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

/** What is copied to columns beside the records, to search by. */
export const members: AuditLogOptions['members'] = {
  time: 'recorded_at_us',
  texts: ['team_id', 'actor_id', 'operation', 'decision'],
  ids: { one: 'patient', many: 'patients' },
};
