import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { migrate } from '../database/sqlite/migrate.ts';
import { openRawSqlite, openSqlite } from '../database/sqlite/open-sqlite.ts';
import { AppendLog } from './log/append-log.ts';
import { AuditBrokenError } from './log/audit-broken-error.ts';
import { loadOrMakeKey } from './log/audit-key.ts';
import { auditFile, auditMigrations } from './log/audit-schema.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

// The thread that owns the connection: a disk sync takes milliseconds and must not block the event loop. It handles one
// request at a time. After any error it closes the file and exits: a new thread verifies the tail first.
const settings = workerData as WorkerSettings;
const port = parentPort;
if (port === null) {
  throw new Error('Must be started as a worker thread');
}

/** Appends touch only the ends of a few B-trees; a larger cache would fill with records that are not read again. */
const CACHE_MIB = 16;

let db: DatabaseSync | undefined;
const reply = (message: WorkerReply): void => {
  port.postMessage(message);
};

try {
  const log = await open();
  port.on('message', (request: WorkerRequest) => {
    try {
      answer(log, request);
    } catch (error) {
      fail(error);
    }
  });
  reply({ kind: 'opened', logId: log.logId, verifierKey: log.verifierKey });
} catch (error) {
  fail(error);
}

async function open(): Promise<AppendLog> {
  const { dataDir, busyTimeoutMs } = settings;
  const file = join(dataDir, auditFile);
  const key = loadOrMakeKey(dataDir);
  const toMigrate = openSqlite(file, { busyTimeoutMs });
  try {
    await migrate(toMigrate, auditMigrations);
  } finally {
    await toMigrate.destroy();
  }
  db = openRawSqlite(file, { busyTimeoutMs, cacheMiB: CACHE_MIB });
  // After a failed sync, cached pages could pass for written: checkpoint them into the main file with a new sync.
  db.exec('pragma wal_checkpoint(truncate)');
  return new AppendLog(db, key, settings);
}

function answer(log: AppendLog, request: WorkerRequest): void {
  switch (request.kind) {
    case 'append':
      reply({ kind: 'appended', firstSeq: log.append(request.records) });
      break;
    case 'checkpoint':
      reply({ kind: 'signed', note: log.checkpoint() });
      break;
    case 'close':
      letGo();
      reply({ kind: 'closed' });
      break;
  }
}

function fail(error: unknown): void {
  reply({
    kind: 'failed',
    message: error instanceof Error ? error.message : 'unknown',
    ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
  });
  letGo();
}

function letGo(): void {
  port?.close();
  try {
    db?.close();
  } catch {
    // The next thread that opens the file reports the problem.
  }
}
