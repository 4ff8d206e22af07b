import { ACCEPT_BREAK, ownRecord, type OwnRecord } from '../../entry/record-text.ts';
import { AuditBrokenError } from '../../errors.ts';
import { ProvenTree } from '../../log/proven-tree.ts';
import { VerifierKey } from '../../note/checkpoint.ts';
import { PostgresLogReader } from '../stored/log-reader.ts';
import type { Queryable } from '../stored/stored-tree.ts';

/** Of the record that accepts a break; the first one opens the log. */
const seq = 1;

/** Under this key, or one that such a break replaced: whoever writes to the database can make a log of another key. */
export async function acceptedBreaks(db: Queryable, verifierKey: string): Promise<Set<string>> {
  const logs = await PostgresLogReader.all(db);
  const accepted = new Set<string>();
  const keys = [verifierKey];
  for (const key of keys) {
    for (const log of logs) {
      if (!(await log.keys()).has(VerifierKey.parse(key))) {
        continue;
      }
      const { old_logs: old, old_public_key: oldKey } = await breakIn(log);
      for (const logId of typeof old === 'string' ? old.matchAll(/(?<=^| )[^:]+/gu) : []) {
        accepted.add(logId[0]);
      }
      if (typeof oldKey === 'string' && !keys.includes(oldKey)) {
        keys.push(oldKey);
      }
    }
  }
  return accepted;
}

async function breakIn(log: PostgresLogReader): Promise<OwnRecord['details']> {
  const { rows } = await log.db.query(
    `select salt || convert_to(body, 'UTF8') as entry from audit.audit_event where log_id = $1 and seq = $2`,
    [log.identity().logId, seq],
  );
  const entry = rows[0]?.['entry'] as Buffer | undefined;
  const record = entry && ownRecord(entry);
  if (entry === undefined || record?.operation !== ACCEPT_BREAK) {
    return {};
  }
  try {
    await new ProvenTree(log, await log.sealed()).requireEntries([{ seq, entry }]);
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return {};
    }
    throw error;
  }
  return record.details;
}
