import type { Queryable } from '@caregate/audit-log/postgres';
import {
  ALARM_OPERATIONS,
  LOG_MAINTENANCE_OPERATIONS,
  type LogReader,
  type RecordBody,
} from '@caregate/audit-log';
import { records } from '../export/records.ts';

const WANTED = [...ALARM_OPERATIONS, ...LOG_MAINTENANCE_OPERATIONS, 'startUp'];

/**
 * Alarms of all teams and events of the service (starts, clock changes, its log), oldest first, one JSON object per line.
 * Events of the service are not available to auditors of a team, since they may name patients of other teams.
 */
export function serviceEvents(log: LogReader): string {
  return [...records(log, { operations: WANTED })].map(line).join('');
}

/** The same for all logs of a database, or for one. */
export async function serviceEventsOfDatabase(
  db: Queryable,
  logId: string | undefined,
): Promise<string> {
  const { rows } = await db.query(
    `select body from audit.audit_event
     where operation = any($1::text[]) and body is not null and ($2::text is null or log_id = $2)
     order by recorded_at_us, log_id, seq`,
    [WANTED, logId ?? null],
  );
  return rows.map((row) => line(JSON.parse(String(row['body'])) as RecordBody)).join('');
}

function line(record: RecordBody): string {
  const at = new Date(record.recorded_at_us / 1000).toISOString();
  const { operation, decision, reason_code, team_id, actor_id, key_id, break_glass_id } = record;
  const { details, log_id, seq } = record;
  const who = { team_id, actor_id, key_id, break_glass_id };
  return `${JSON.stringify({ at, operation, decision, reason_code, ...who, details, log_id, seq })}\n`;
}
