import { hostname } from 'node:os';
import { join } from 'node:path';
import { openRawSqlite } from '../../database/sqlite/open-sqlite.ts';
import type { AuditEntry } from '../audit-entry.ts';
import { AppendLog } from '../log/append-log.ts';
import { auditKeyFile, loadKey } from '../log/audit-key.ts';
import { AuditReader, NoAuditLogError } from '../log/audit-reader.ts';
import { auditFile } from '../log/audit-schema.ts';

/**
 * Appends records to an existing log synchronously and signs it; durable when it returns. Safe while the service is
 * running. For commands, which do not need a thread.
 *
 * @returns the signed note
 * @throws NoAuditLogError if there is no log, or it is a copy without its private key
 * @throws AuditBrokenError if the records after the last checkpoint fail verification
 */
export function appendNow(dataDir: string, entries: readonly AuditEntry[]): string {
  new AuditReader(dataDir).close();
  const key = loadKey(join(dataDir, auditKeyFile));
  if (key === undefined) {
    throw new NoAuditLogError('The private key of this log is missing: the log is read-only.');
  }
  const db = openRawSqlite(join(dataDir, auditFile));
  try {
    // As in audit-writer.worker.ts.
    db.exec('pragma wal_checkpoint(truncate)');
    const host = hostname();
    const log = new AppendLog(db, key, { host, serverId: host, checkpointEveryRecords: 1000 });
    const recordedAtUs = Date.now() * 1000;
    log.append(entries.map((entry) => ({ entry, recordedAtUs })));
    return log.checkpoint();
  } finally {
    db.close();
  }
}
