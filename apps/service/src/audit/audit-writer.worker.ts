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

// The thread that owns the connection: a sync to disk takes milliseconds, which the event loop has not. It answers one
// request at a time, and after any error it lets go of the file and ends: a new thread verifies the tail first.
const settings = workerData as WorkerSettings;
const port = parentPort;
if (port === null) {
  throw new Error('To be started as a worker thread');
}

/** What is added to is at the ends of a few trees; a larger cache fills with records that nobody reads here again. */
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
  // What a sync that failed left in the file's cache would pass for written: into the main file with it, synced anew.
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
    // The next thread to open the file finds what is wrong with it.
  }
}
