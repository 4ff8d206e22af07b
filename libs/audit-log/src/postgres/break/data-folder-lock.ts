import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from '../../disk/sqlite-code.ts';
import { nodeDisk } from '../../disk/node-disk.ts';
import { AuditLogError } from '../../errors.ts';
import { isBreakPending } from './finish-break.ts';

const busy = 5;

/**
 * A lock of the signing key of a data folder: shared by all that sign with it, exclusive while it is replaced. It ends with the
 * process.
 */
export class DataFolderLock {
  readonly #db: DatabaseSync;

  private constructor(dataDir: string, begin: (db: DatabaseSync) => void, isInUse: string) {
    this.#db = new DatabaseSync(join(dataDir, 'audit-lock.db'), {
      timeout: 500,
      allowExtension: false,
    });
    try {
      begin(this.#db);
    } catch (error) {
      this.#db.close();
      throw sqliteCode(error) === busy ? new AuditLogError(isInUse, error) : error;
    }
  }

  /** @throws AuditLogError while the key is replaced, or if that was interrupted */
  static share(dataDir: string): DataFolderLock {
    const lock = new DataFolderLock(
      dataDir,
      (db) => {
        db.exec('begin');
        db.prepare('select count(*) from sqlite_schema').get();
      },
      'caregate audit accept-break is replacing the signing key of this data folder. Wait for its end.',
    );
    if (isBreakPending(nodeDisk, dataDir)) {
      lock.release();
      throw new AuditLogError(
        'caregate audit accept-break was interrupted. Run it again for this data folder: it goes on where it stopped.',
      );
    }
    return lock;
  }

  /** @throws AuditLogError while another process uses the key */
  static take(dataDir: string): DataFolderLock {
    return new DataFolderLock(
      dataDir,
      (db) => {
        db.exec('begin exclusive');
      },
      'An instance or another command is using the signing key of this data folder. Stop it, and run this command again.',
    );
  }

  release(): void {
    if (this.#db.isOpen) {
      this.#db.close();
    }
  }
}
