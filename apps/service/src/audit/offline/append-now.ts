import { hostname } from 'node:os';
import { join } from 'node:path';
import { openRawSqlite } from '../../database/sqlite/open-sqlite.ts';
import type { AuditEntry } from '../audit-entry.ts';
import { AppendLog } from '../log/append-log.ts';
import { auditKeyFile, loadKey } from '../log/audit-key.ts';
import { AuditReader, NoAuditLogError } from '../log/audit-reader.ts';
import { auditFile } from '../log/audit-schema.ts';

/**
 * Appends records to a log that is there, beside a running service too, and signs it: durable when it returns. For
 * commands, which have nothing else to do meanwhile and so need no thread for it.
 *
 * @returns the signed note
 * @throws NoAuditLogError where there is no log, or a copy without its private key
 * @throws AuditBrokenError where what follows the last checkpoint does not verify
 */
export function appendNow(dataDir: string, entries: readonly AuditEntry[]): string {
  new AuditReader(dataDir).close();
  const key = loadKey(join(dataDir, auditKeyFile));
  if (key === undefined) {
    throw new NoAuditLogError('The private key of this log is not here: it can only be read.');
  }
  const db = openRawSqlite(join(dataDir, auditFile));
  try {
    // As the service does: see there.
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
