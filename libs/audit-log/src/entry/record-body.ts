import { unpackUuids } from './packed-uuids.ts';
import type { AuditActorType, AuditDecision } from './audit-entry.ts';

export interface RecordBody {
  readonly version: number;
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

export function parseBody(text: string): RecordBody {
  const body = JSON.parse(text) as Omit<RecordBody, 'patients'> & {
    readonly patients: readonly string[] | string;
  };
  const { patients } = body;
  return { ...body, patients: typeof patients === 'string' ? unpackUuids(patients) : patients };
}

// Commas are rarer than quotes, so searching is faster.
const operationField = ',"operation":"';
const logIdField = ',"log_id":"';
const detailsField = ',"details":{';

/**
 * Position of `log_id` in the text of a record; -1 if it has none. Text values can't contain the searched form, since quotes
 * are escaped; a member of `details` can, but comes before.
 */
export function logIdAt(body: string): number {
  const details = body.indexOf(detailsField);
  const at =
    details >= 0 && body.startsWith('}', details + detailsField.length)
      ? body.indexOf(logIdField, details)
      : body.lastIndexOf(logIdField);
  return at < 0 ? -1 : at + 1;
}

/** Position of `operation`, which follows `log_id`. */
export function operationAt(body: string, at: number = logIdAt(body)): number {
  const comma = body.indexOf(operationField, at);
  return comma < 0 ? -1 : comma + 1;
}
