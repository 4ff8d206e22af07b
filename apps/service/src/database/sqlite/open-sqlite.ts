import { Kysely, SqliteDialect } from 'kysely';
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { NodeSqliteDatabase, prepareOnSqlite, type PrepareAtOnce } from './node-sqlite-database.ts';

export interface SqliteOptions {
  /** Wait for the write lock of another process, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Default 64. */
  readonly cacheMiB?: number;
}

/**
 * Opens a SQLite file, created if missing: WAL, durable commits, foreign keys. The first query rejects if it cannot be
 * opened. `:memory:` is for tests.
 */
export function openSqlite<DB>(file: string, options: SqliteOptions = {}): Kysely<DB> {
  // Opened lazily: destroy() before the first query does nothing in Kysely and would leave it open.
  const open = (): Promise<NodeSqliteDatabase> =>
    Promise.resolve(new NodeSqliteDatabase(openRawSqlite(file, options)));
  return new Kysely<DB>({ dialect: new SqliteDialect({ database: open }) });
}

export interface SqliteReader<DB> {
  readonly db: Kysely<DB>;
  readonly prepare: PrepareAtOnce;
  /** Runs synchronous reads on one state of the file, locking it once. */
  readonly snapshot: <Result>(read: () => Result) => Result;
  /** Changes when any other connection, of this process or not, has changed the file. */
  readonly version: () => number;
  readonly close: () => Promise<void>;
}

/** @throws if it cannot be opened or is not a database */
export function openSqliteReader<DB>(file: string, options: SqliteOptions = {}): SqliteReader<DB> {
  const raw = openRawSqlite(file, options);
  raw.exec('pragma query_only = ON');
  const database = new NodeSqliteDatabase(raw);
  const db = new Kysely<DB>({ dialect: new SqliteDialect({ database }) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely does not close an unused database.
    database.close();
  };
  const [snapshot, version] = [snapshotsOf(raw), versionOf(raw)];
  return { db, prepare: prepareOnSqlite(raw), snapshot, version, close };
}

/** https://sqlite.org/pragma.html#pragma_data_version */
function versionOf(raw: DatabaseSync): () => number {
  let cached: StatementSync | undefined;
  return () => {
    if (cached === undefined) {
      cached = raw.prepare('pragma data_version');
      cached.setReturnArrays(true);
    }
    const [version] = cached.get() as unknown as [number];
    return version;
  };
}

function snapshotsOf(raw: DatabaseSync): SqliteReader<unknown>['snapshot'] {
  let cached: { readonly begin: StatementSync; readonly end: StatementSync } | undefined;
  return (read) => {
    // An open transaction of Kysely is a snapshot, too.
    if (raw.isTransaction) {
      return read();
    }
    const { begin, end } = (cached ??= { begin: raw.prepare('begin'), end: raw.prepare('commit') });
    begin.run();
    try {
      return read();
    } finally {
      end.run();
    }
  };
}

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
 * SQLite would make a missing file world-readable. An existing file is not touched: closing it would release the locks of
 * this process.
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
