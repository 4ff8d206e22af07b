import { NEW_LOG, ownRecord } from '../entry/record-text.ts';
import { AuditBrokenError } from '../errors.ts';
import { ProvenTree } from '../log/proven-tree.ts';
import type { VerifierKey } from '../note/checkpoint.ts';
import { PostgresLogReader } from './stored/log-reader.ts';
import type { Queryable } from './stored/stored-tree.ts';

/** Of the record that names the archived logs; the first one opens the log. */
const seq = 1;

/** Ids of the logs that `new-log` archived for this key. Whoever writes to the database can make a log of another key. */
export async function archivedLogs(
  db: Queryable,
  key: Pick<VerifierKey, 'bytes'>,
): Promise<ReadonlySet<string>> {
  const archived = new Set<string>();
  for (const log of await PostgresLogReader.all(db)) {
    const named = (await log.keys()).has(key) ? await namedIn(log) : [];
    for (const logId of named) {
      archived.add(logId);
    }
  }
  return archived;
}

async function namedIn(log: PostgresLogReader): Promise<readonly string[]> {
  const { rows } = await log.db.query(
    `select salt || convert_to(body, 'UTF8') as entry from audit.audit_event where log_id = $1 and seq = $2`,
    [log.identity().logId, seq],
  );
  const entry = rows[0]?.['entry'] as Buffer | undefined;
  const record = entry && ownRecord(entry);
  if (entry === undefined || record?.operation !== NEW_LOG) {
    return [];
  }
  try {
    await new ProvenTree(log, await log.sealed()).requireEntries([{ seq, entry }]);
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return [];
    }
    throw error;
  }
  return String(record.details['archived']).split(' ');
}
