import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from '../../disk/sqlite-code.ts';
import type { LogPaths } from '../layout.ts';
import { refused } from '../log-refused.ts';
import { requirePlainParts } from './plain-parts.ts';

const busy = 5;
const cannotOpen = 14;

/** The lock of a log: an exclusive SQLite transaction, which ends with the process (Node has no flock). */
export class FolderLock {
  readonly #db: DatabaseSync;

  /**
   * Waits for another process.
   *
   * @throws LogRefusedError (`in_use`) after the timeout; AuditLogError if a part of the log is no plain file or folder
   */
  constructor(paths: LogPaths, timeoutMs: number) {
    requirePlainParts(paths);
    this.#db = new DatabaseSync(paths.lock, { timeout: timeoutMs, allowExtension: false });
    try {
      this.#db.exec('begin exclusive');
    } catch (error) {
      this.#db.close();
      throw sqliteCode(error) === busy ? refused('in_use') : error;
    }
  }

  release(): void {
    this.#db.close();
  }
}

/**
 * Whether a process is writing the log; never on a read-only medium.
 *
 * @throws AuditLogError if a part of the log is no plain file or folder
 */
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
