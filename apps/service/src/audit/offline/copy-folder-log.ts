import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { auditKeyFile, copyLog, nodeDisk, recordActs } from '@caregate/audit-log';
import { openLog } from './open-log.ts';

/**
 * Copies the log of a data folder into another folder, up to now: a checkpoint is signed first, by the service if it is
 * running. Of a copy without the private key, up to its checkpoint.
 *
 * @throws NoAuditLogError, LogRefusedError, AuditBrokenError
 */
export async function copyFolderLog(
  dataDir: string,
  to: string,
  onBytes?: (done: number) => void,
): Promise<void> {
  const signed = existsSync(join(dataDir, auditKeyFile))
    ? await recordActs(dataDir, [])
    : undefined;
  const log = openLog(dataDir);
  try {
    const note = signed ?? log.checkpoint();
    copyLog(nodeDisk, log, { from: resolve(dataDir), to: resolve(to), note }, onBytes);
  } finally {
    log.close();
  }
}
