import { ALARM_OPERATIONS, HOLD_OPERATIONS } from '../system-record.ts';
import { type LogSource } from '@caregate/audit-log';
import { recordsOf } from '../export/records.ts';
import type { RecordBody } from '../record/record-body.ts';

const WANTED = [...ALARM_OPERATIONS, ...Object.values(HOLD_OPERATIONS), 'startUp'];

/**
 * Alarms of all teams and events of the service, oldest first, one JSON object per line. Not for a team's auditors: they
 * may name patients of other teams.
 */
export async function serviceEvents(logs: readonly LogSource[]): Promise<string> {
  return (await recordsOf(logs, { operations: WANTED })).map(line).join('');
}

function line(record: RecordBody): string {
  const at = new Date(record.recorded_at_us / 1000).toISOString();
  const { operation, decision, reason_code, team_id, actor_id, key_id, break_glass_id } = record;
  const { details, log_id, seq } = record;
  const who = { team_id, actor_id, key_id, break_glass_id };
  return `${JSON.stringify({ at, operation, decision, reason_code, ...who, details, log_id, seq })}\n`;
}
