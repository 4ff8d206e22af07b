import type { KeyObject } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { appendOptions } from '../audit/audit-writer.ts';
import { commandEntry } from '../audit/system-record.ts';
import { AuditBrokenError } from '../audit/log/audit-broken-error.ts';
import { formatVerifierKey, verifierKey, type VerifierKey } from '../audit/log/checkpoint.ts';
import { readHead } from '../audit/log/stored-tree.ts';
import { PostgresLog } from '../audit/postgres/postgres-log.ts';
import { verifyInTransaction } from '../audit/postgres/verify-postgres.ts';
import { verifyLog } from '../audit/verify.ts';
import { moveOperation } from './earlier-move.ts';
import type { OnProgress } from './progress.ts';

/** The log of a data folder. */
export interface FolderLog {
  readonly db: DatabaseSync;
  readonly logId: string;
  readonly key: VerifierKey;
  /** Its last checkpoint. */
  readonly note: string | undefined;
}

/** @throws AuditBrokenError where the key is not the log's */
export function logOfFolder(db: DatabaseSync, privateKey: KeyObject): FolderLog {
  const row = db.prepare('select log_id, origin, verifier_key from audit_log').get();
  const key = verifierKey(String(row?.['origin']), privateKey);
  if (row === undefined || formatVerifierKey(key) !== row['verifier_key']) {
    throw new AuditBrokenError('bad_signature', 'The key is not the one of this log');
  }
  const last = db.prepare('select note from audit_checkpoint order by size desc limit 1').get();
  return { db, logId: row['log_id'] as string, key, note: last?.['note'] as string | undefined };
}

/** A log that does not hold is not carried on. @throws AuditBrokenError */
export function verifyFolderLog({ db, key }: FolderLog, onProgress: OnProgress): void {
  verifyLog(db, {
    key,
    onProgress: (done, of) => {
      onProgress('verifying the audit log', done, of);
    },
  });
}

/**
 * Sets the head of the copied log and recomputes all of it, as it stands in the database now, against the folder's.
 *
 * @throws AuditBrokenError
 */
export async function verifyMovedLog(
  client: pg.ClientBase,
  { db, logId, key, note }: FolderLog,
  onProgress: OnProgress,
): Promise<void> {
  const head = readHead(db);
  await client.query('insert into audit.audit_head (log_id, size, root) values ($1, $2, $3)', [
    logId,
    head.size,
    head.root(),
  ]);
  await client.query('analyze audit.audit_event, audit.audit_node, audit.audit_patient');
  const report = await verifyInTransaction(client, {
    key,
    ...(note !== undefined && { outside: note }),
    onProgress: (done, of) => {
      onProgress('verifying the moved audit log', done, of);
    },
  });
  if (report.size !== head.size || !report.root.equals(head.root())) {
    throw new AuditBrokenError('altered', 'The moved log is not the log of the folder');
  }
}

/**
 * Adds the record of the move to the log, the way an instance with this key would, and signs it: from here on it is the
 * log of the instance that has the key. Where the folder had none, a log begins with it.
 */
export async function recordMove(
  client: pg.ClientBase,
  key: KeyObject,
  details: Readonly<Record<string, string | number>>,
): Promise<void> {
  const log = await PostgresLog.open(client, key, appendOptions({}));
  const entry = commandEntry(moveOperation, details);
  await log.append([{ entry, recordedAtUs: Date.now() * 1000 }]);
  await log.checkpoint();
}
