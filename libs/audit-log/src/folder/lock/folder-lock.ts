import { DatabaseSync } from 'node:sqlite';
import { busy, sqliteCode, SqliteLock } from '../../disk/sqlite-lock.ts';
import type { LogPaths } from '../layout.ts';
import { refused } from '../log-refused.ts';
import { requirePlainParts } from './plain-parts.ts';

const cannotOpen = 14;

/** @throws LogRefusedError (`in_use`) after the timeout, AuditLogError if a part of the log is no plain file or folder */
export function lockFolder(paths: LogPaths, timeoutMs: number): SqliteLock {
  requirePlainParts(paths);
  return new SqliteLock(paths.lock, timeoutMs, {
    kind: 'exclusive',
    inUse: () => refused('in_use'),
  });
}

/** False on a read-only medium. @throws AuditLogError if a part of the log is no plain file or folder */
export function isBeingWritten(paths: LogPaths): boolean {
  requirePlainParts(paths);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(paths.lock, { readOnly: true, timeout: 0, allowExtension: false });
    db.prepare('select count(*) from sqlite_schema').get();
    return false;
  } catch (error) {
    if (sqliteCode(error) === busy || sqliteCode(error) === cannotOpen) {
      return sqliteCode(error) === busy;
    }
    throw error;
  } finally {
    db?.close();
  }
}
