import type { LogMove } from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { commandEntry } from '../audit/system-record.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { OnProgress } from './copy-table.ts';

/** Operation of the record of a move. */
const moveOperation = 'moveToDatabase';

/** @throws AuditBrokenError if the log in the database is not that of the folder */
export async function verifyMovedLog(
  client: pg.ClientBase,
  log: LogMove,
  { size, onProgress }: { readonly size: number; readonly onProgress: OnProgress },
): Promise<void> {
  await log.adopt(client, {
    hashed: (done) => {
      onProgress('hashes of the audit log', done, size);
    },
    verified: (done) => {
      onProgress('verifying the moved audit log', done, size);
    },
  });
}

/** Appends the record of the move and signs it: the log continues as that of the instance with this key. */
export async function recordMove(
  client: pg.ClientBase,
  log: LogMove,
  details: Readonly<Record<string, string | number>>,
): Promise<void> {
  await log.record(client, commandEntry(moveOperation, details));
}

/**
 * Whether a move was interrupted after its commit, before the folder was archived. @throws OperatorError if the folder has
 * changed since
 */
export async function wasMoved(
  client: pg.ClientBase,
  log: LogMove,
  folder: { readonly size: number; readonly counts: Readonly<Record<string, number>> },
): Promise<boolean> {
  const { rows } = await client.query<{ seq: number; body: string }>(
    `select seq, body from audit.audit_event
     where log_id = any($1) and operation = $2 order by seq limit 1`,
    [await log.logIds(client), moveOperation],
  );
  const [record] = rows;
  if (record === undefined) {
    return false;
  }
  const { details } = JSON.parse(record.body) as { details: Readonly<Record<string, unknown>> };
  const isChanged = Object.entries(folder.counts).some(([name, count]) => details[name] !== count);
  if (record.seq !== folder.size || isChanged) {
    throw new OperatorError(
      'This folder was already moved to that database, and was changed since. The changes are not in the database.',
    );
  }
  return true;
}
