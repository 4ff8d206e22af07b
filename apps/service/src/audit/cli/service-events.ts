import type { AuditReader } from '../log/audit-reader.ts';
import type { Queryable } from '../postgres/stored-tree.ts';
import { ALARM_OPERATIONS, LOG_MAINTENANCE_OPERATIONS } from '../log-operations.ts';

const WANTED = [...ALARM_OPERATIONS, ...LOG_MAINTENANCE_OPERATIONS, 'startUp'];

/**
 * Alarms of all teams and events of the service (starts, clock changes, its log), oldest first, one JSON object per line.
 * Events of the service are not available to auditors of a team, since they may name patients of other teams.
 */
export function serviceEvents(reader: AuditReader): string {
  const rows = reader.db
    .prepare(
      `select body from audit_event
       where operation in (select value from json_each(?)) and body is not null order by seq`,
    )
    .all(JSON.stringify(WANTED));
  return rows.map(({ body }) => line(body)).join('');
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
  return rows.map((row) => line(row['body'])).join('');
}

function line(body: unknown): string {
  const record = JSON.parse(body as string) as Record<string, unknown> & { recorded_at_us: number };
  const at = new Date(record.recorded_at_us / 1000).toISOString();
  const { operation, decision, reason_code, team_id, actor_id, key_id, break_glass_id } = record;
  const { details, log_id, seq } = record;
  const who = { team_id, actor_id, key_id, break_glass_id };
  return `${JSON.stringify({ at, operation, decision, reason_code, ...who, details, log_id, seq })}\n`;
}
