import { Kysely, SqliteDialect } from 'kysely';
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { NodeSqliteDatabase } from './node-sqlite-database.ts';

export interface SqliteOptions {
  /** How long a statement waits for another process's write lock, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Page cache, in MiB. Default 64. */
  readonly cacheMiB?: number;
}

/**
 * Opens (and where it is missing, makes) a SQLite file the way all of Caregate does: write-ahead log, each commit
 * durable before it returns, foreign keys checked. `:memory:` is for tests. The file is opened by the first query,
 * which rejects where it cannot be opened or is no database; the folder must exist.
 */
export function openSqlite<DB>(file: string, options: SqliteOptions = {}): Kysely<DB> {
  // Opened at once, it would stay open where destroy() comes before any query: Kysely does nothing then.
  const open = (): Promise<NodeSqliteDatabase> =>
    Promise.resolve(new NodeSqliteDatabase(openRawSqlite(file, options)));
  return new Kysely<DB>({ dialect: new SqliteDialect({ database: open }) });
}

/** The same file without Kysely, for the import: its millions of statements are prepared once and run synchronously. */
export function openRawSqlite(file: string, options: SqliteOptions = {}): DatabaseSync {
  makePrivate(file);
  const raw = new DatabaseSync(file, {
    timeout: options.busyTimeoutMs ?? 5000,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
    defensive: true,
  });
  try {
    raw.exec(`
      pragma journal_mode = WAL;
      pragma synchronous = FULL;
      pragma trusted_schema = OFF;
      pragma cache_size = -${Math.round((options.cacheMiB ?? 64) * 1024)};
    `);
  } catch (error) {
    raw.close();
    throw error;
  }
  return raw;
}

/**
 * Makes a missing file readable by its owner alone: SQLite itself would let all read it, and its `-wal` and `-shm` take
 * over the rights of the file. A file that exists is left alone: to open and close it would drop this process's locks.
 */
function makePrivate(file: string): void {
  if (file === ':memory:' || existsSync(file)) {
    return;
  }
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!existsSync(file)) {
      throw error;
    }
  }
}
