import { join } from 'node:path';
import type { Disk } from '../../disk/disk.ts';
import { nodeDisk } from '../../disk/node-disk.ts';
import { SqliteLock } from '../../disk/sqlite-lock.ts';
import { removeIfThere, writeWhole } from '../../disk/whole-file.ts';
import { AuditLogError } from '../../errors.ts';
import { auditKeyFile } from '../../note/audit-key.ts';
import { keptFolder } from '../kept-checkpoints.ts';

export const breakFolder = 'audit-break';

function pathsOf(dataDir: string): Record<'next' | 'accepted' | 'key' | 'kept', string> {
  return {
    next: join(dataDir, breakFolder, auditKeyFile),
    accepted: join(dataDir, breakFolder, 'accepted'),
    key: join(dataDir, auditKeyFile),
    kept: join(dataDir, keptFolder),
  };
}

/** Whether a break is recorded and the key not replaced yet: a start is refused. */
export function isBreakPending(disk: Disk, dataDir: string): boolean {
  return disk.read(pathsOf(dataDir).accepted) !== undefined;
}

/** Call once the break is durable in this log. */
export function beginFinish(disk: Disk, dataDir: string, logId: string): void {
  writeWhole(disk, pathsOf(dataDir).accepted, Buffer.from(logId));
}

/** Can be repeated after an interruption. Returns the id of the new log, which names what is set aside. */
export function finishBreak(disk: Disk, dataDir: string): string {
  const { next, accepted, key, kept } = pathsOf(dataDir);
  const logId = disk.read(accepted)?.toString() ?? '';
  const nextKey = disk.read(next);
  if (nextKey !== undefined) {
    const oldKey = disk.read(key);
    if (oldKey?.equals(nextKey) === false) {
      writeWhole(disk, join(dataDir, `audit-key.before-${logId}.pem`), oldKey);
    }
    if (disk.list(kept).length > 0) {
      disk.rename(kept, `${kept}.before-${logId}`);
      disk.syncFolder(dataDir);
    }
    writeWhole(disk, key, nextKey);
    removeIfThere(disk, next);
    disk.syncFolder(join(dataDir, breakFolder));
  }
  removeIfThere(disk, accepted);
  disk.syncFolder(join(dataDir, breakFolder));
  return logId;
}

/** Shared with all that sign with it. @throws AuditLogError while the key is replaced, or if that was interrupted */
export function shareKey(dataDir: string): SqliteLock {
  const lock = lockKey(
    dataDir,
    'shared',
    'A command (caregate audit accept-break or rotate-key) is replacing the signing key of this data folder. Wait for its end.',
  );
  try {
    requireNoBreak(dataDir);
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/** @throws AuditLogError if `accept-break` was interrupted */
export function requireNoBreak(dataDir: string): void {
  if (isBreakPending(nodeDisk, dataDir)) {
    throw new AuditLogError(
      'caregate audit accept-break was interrupted. Run it again for this data folder: it goes on where it stopped.',
    );
  }
}

/** @throws AuditLogError while another process uses the key */
export function takeKey(dataDir: string): SqliteLock {
  return lockKey(
    dataDir,
    'exclusive',
    'An instance or another command is using the signing key of this data folder. Stop it, and run this command again.',
  );
}

function lockKey(dataDir: string, kind: 'shared' | 'exclusive', message: string): SqliteLock {
  return new SqliteLock(join(dataDir, 'audit-lock.db'), 500, {
    kind,
    inUse: (cause) => new AuditLogError(message, cause),
  });
}
