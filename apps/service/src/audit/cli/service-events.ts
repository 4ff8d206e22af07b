import { ALARM_OPERATIONS, instantOfRecord } from '../system-record.ts';
import type { LogReader } from '@caregate/audit-log';
import { recordsOf, type OnRecords } from '../export/records.ts';

/** Not for a team's auditors: alarms may name patients of other teams. */
export async function serviceEvents(
  logs: readonly LogReader[],
  onRecords?: OnRecords,
): Promise<object[]> {
  return (await recordsOf(logs, { operations: ALARM_OPERATIONS }, onRecords)).map((record) => {
    const { operation, decision, reason_code, team_id, actor_id, key_id, break_glass_id } = record;
    const { details, log_id, seq } = record;
    const who = { team_id, actor_id, key_id, break_glass_id };
    return {
      at: instantOfRecord(record),
      operation,
      decision,
      reason_code,
      ...who,
      details,
      log_id,
      seq,
    };
  });
}
