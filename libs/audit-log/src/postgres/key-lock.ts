import { join } from 'node:path';
import { SqliteLock } from '../disk/sqlite-lock.ts';
import { AuditLogError } from '../errors.ts';

/** Shared with all that sign with the key. @throws AuditLogError while the key is replaced */
export function shareKey(dataDir: string): SqliteLock {
  return lockKey(
    dataDir,
    'shared',
    'A command (caregate audit new-log or rotate-key) is replacing the signing key of this data folder. Wait for its end.',
  );
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
