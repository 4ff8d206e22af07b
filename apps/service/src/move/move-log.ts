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
import { moveOperation } from './previous-move.ts';
import type { OnProgress } from './progress.ts';

/** The log of a data folder. */
export interface FolderLog {
  readonly db: DatabaseSync;
  readonly logId: string;
  readonly key: VerifierKey;
  /** Its last checkpoint. */
  readonly note: string | undefined;
}

/** @throws AuditBrokenError if the key does not belong to the log */
export function logOfFolder(db: DatabaseSync, privateKey: KeyObject): FolderLog {
  const row = db.prepare('select log_id, origin, verifier_key from audit_log').get();
  const key = verifierKey(String(row?.['origin']), privateKey);
  if (row === undefined || formatVerifierKey(key) !== row['verifier_key']) {
    throw new AuditBrokenError('bad_signature', 'The key does not belong to this log');
  }
  const last = db.prepare('select note from audit_checkpoint order by size desc limit 1').get();
  return { db, logId: row['log_id'] as string, key, note: last?.['note'] as string | undefined };
}

/** Verifies the log in the folder. @throws AuditBrokenError */
export function verifyFolderLog({ db, key }: FolderLog, onProgress: OnProgress): void {
  verifyLog(db, {
    key,
    onProgress: (done, of) => {
      onProgress('verifying the audit log', done, of);
    },
  });
}

/**
 * Sets the head of the copied log and verifies the log in the database against that of the folder.
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
    throw new AuditBrokenError('altered', 'The moved log does not match the log in the folder');
  }
}

/**
 * Appends the record of the move to the log, as an instance with this key would, and signs it: from now on it is the log of
 * the instance with this key. Creates a log if the folder had none.
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
