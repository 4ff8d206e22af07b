import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { commandEntry } from '../audit/system-record.ts';
import {
  AuditBrokenError,
  type VerifierKey,
  type LogReader,
  formatVerifierKey,
  namesOf,
  nodeDisk,
  signSeal,
  verifierKey,
  verifyFolder,
} from '@caregate/audit-log';
import { PostgresLog, storeTiles, verifyInTransaction } from '@caregate/audit-log/postgres';
import { moveOperation } from './previous-move.ts';
import type { OnProgress } from './progress.ts';

/** The log of a data folder. */
export interface FolderLog {
  readonly dataDir: string;
  readonly reader: LogReader;
  readonly key: VerifierKey;
  readonly privateKey: KeyObject;
}

/** @throws AuditBrokenError if the key does not belong to the log */
export function logOfFolder(dataDir: string, reader: LogReader, privateKey: KeyObject): FolderLog {
  const key = verifierKey(reader.identity().origin, privateKey);
  if (formatVerifierKey(key) !== reader.identity().verifierKey) {
    throw new AuditBrokenError('bad_signature', 'The key does not belong to this log');
  }
  return { dataDir, reader, key, privateKey };
}

/** Verifies the log in the folder. @throws AuditBrokenError */
export async function verifyFolderLog(
  { dataDir, reader, key }: FolderLog,
  onProgress: OnProgress,
): Promise<void> {
  await verifyFolder(nodeDisk, dataDir, {
    key,
    onProgress: (done) => {
      onProgress('verifying the audit log', done, reader.size());
    },
  });
}

/**
 * Stores the hash tiles of the copied log and a seal over all of it, since a database has one key for a log and a folder may
 * have had several; verifies the log in the database against that of the folder.
 *
 * @throws AuditBrokenError
 */
export async function verifyMovedLog(
  client: pg.ClientBase,
  { reader, key, privateKey }: FolderLog,
  onProgress: OnProgress,
): Promise<void> {
  const size = reader.size();
  const { logId, origin } = reader.identity();
  await storeTiles(client, logId, (done) => {
    onProgress('hashes of the audit log', done, size);
  });
  if (size > 0) {
    const root = reader.root(size);
    const { signature } = signSeal(origin, { first: 0, size, root, checkpointSize: 0 }, privateKey);
    await client.query(
      `insert into audit.audit_seal (log_id, first, size, root, checkpoint_size, signature) values ($1, 0, $2, $3, 0, $4)`,
      [logId, size, root, signature],
    );
  }
  await client.query('analyze audit.audit_event, audit.audit_tile');
  const report = await verifyInTransaction(client, {
    key,
    outside: reader.checkpoint(),
    onProgress: (done) => {
      onProgress('verifying the moved audit log', done, size);
    },
  });
  if (report.size !== size || !report.root.equals(reader.root(size))) {
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
  const log = await PostgresLog.open(client, key, namesOf({}));
  const entry = commandEntry(moveOperation, details);
  await log.append([{ entry, recordedAtUs: Date.now() * 1000 }]);
  await log.checkpoint();
}
