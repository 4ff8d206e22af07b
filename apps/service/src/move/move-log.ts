import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { OperatorError } from '../config/operator-error.ts';
import { commandEntry } from '../audit/system-record.ts';
import {
  AuditBrokenError,
  type VerifierKey,
  type LogReader,
  formatVerifierKey,
  nodeDisk,
  openCheckpoint,
  verifierKey,
  verifyFolder,
} from '@caregate/audit-log';
import {
  adoptCopy,
  listLogs,
  PostgresLog,
  verifyInTransaction,
} from '@caregate/audit-log/postgres';
import type { OnProgress } from './copy-table.ts';

/** Operation of the record of a move. */
const moveOperation = 'moveToDatabase';

export interface FolderLog {
  readonly dataDir: string;
  readonly reader: LogReader;
  readonly key: VerifierKey;
  readonly privateKey: KeyObject;
}

export function logOfFolder(dataDir: string, reader: LogReader, privateKey: KeyObject): FolderLog {
  const key = verifierKey(reader.identity().origin, privateKey);
  return { dataDir, reader, key, privateKey };
}

/** @throws AuditBrokenError */
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
 * Stores the hash tiles of the copied log and one seal over all of it; verifies the log in the database against that of
 * the folder. @throws AuditBrokenError
 */
export async function verifyMovedLog(
  client: pg.ClientBase,
  { reader, key, privateKey }: FolderLog,
  onProgress: OnProgress,
): Promise<void> {
  const [size, note] = [reader.size(), reader.checkpoint()];
  await adoptCopy(client, reader.identity(), privateKey, (done) => {
    onProgress('hashes of the audit log', done, size);
  });
  await client.query('analyze audit.audit_event, audit.audit_tile');
  const report = await verifyInTransaction(client, {
    key,
    outside: note,
    onProgress: (done) => {
      onProgress('verifying the moved audit log', done, size);
    },
  });
  if (report.size !== size || !report.root.equals(openCheckpoint(note, key).root)) {
    throw new AuditBrokenError('altered', 'The moved log does not match the log in the folder');
  }
}

/** Appends the record of the move and signs it: the log continues as that of the instance with this key. */
export async function recordMove(
  client: pg.ClientBase,
  key: KeyObject,
  details: Readonly<Record<string, string | number>>,
): Promise<void> {
  const log = await PostgresLog.open(client, key);
  const entry = commandEntry(moveOperation, details);
  await log.append([{ entry, recordedAtUs: Date.now() * 1000 }]);
  await log.checkpoint();
}

/**
 * Whether a move was interrupted after its commit, before the folder was archived. @throws OperatorError if the folder has
 * changed since
 */
export async function wasMoved(
  client: pg.ClientBase,
  folder: {
    readonly key: KeyObject;
    readonly size: number;
    readonly counts: Readonly<Record<string, number>>;
  },
): Promise<boolean> {
  const own = (await listLogs(client)).filter(
    (log) => log.verifierKey === formatVerifierKey(verifierKey(log.origin, folder.key)),
  );
  const { rows } = await client.query<{ seq: number; body: string }>(
    `select seq, body from audit.audit_event
     where log_id = any($1) and operation = $2 order by seq limit 1`,
    [own.map(({ logId }) => logId), moveOperation],
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
