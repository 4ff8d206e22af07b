import {
  Kysely,
  SqliteDialect,
  CompiledQuery,
  type Driver,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync, type SQLInputValue } from 'node:sqlite';

/** A larger cache made no read faster with a store of 1 GB, since the operating system caches pages, too. */
const CACHE_KIB = 16_384;

/**
 * Opens a database with WAL, durable commits and foreign keys. If it can't be opened, the first query rejects. A
 * write fails immediately while another process writes, since SQLite would block the event loop; use `withWriteLock`,
 * which waits. `:memory:` is for tests.
 */
export function openSqlite<DB>(file: string): Kysely<DB> {
  // Opened by the first query, since otherwise Kysely's `destroy()` before the first query would leave it open.
  const open = (): Promise<NodeSqliteDatabase> => {
    const raw = openRawSqlite(file);
    raw.exec('pragma busy_timeout = 0');
    return Promise.resolve(new NodeSqliteDatabase(raw));
  };
  return new Kysely<DB>({ dialect: new WriterDialect({ database: open }) });
}

/** Transactions take the write lock when they begin, unless they only read. */
class WriterDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    driver.beginTransaction = async (connection, { accessMode }) => {
      const begin = accessMode === 'read only' ? 'begin' : 'begin immediate';
      await connection.executeQuery(CompiledQuery.raw(begin));
    };
    driver.rollbackTransaction = async (connection) => {
      // On a full disk, SQLite has already rolled back. The error that caused the rollback says more than its failure.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
    };
    return driver;
  }
}

/**
 * Opens a read-only connection, which sees what is committed while another connection of this process writes. It
 * waits for a lock, which blocks the event loop, only while another process recovers or closes the file, and fails
 * after 50 ms.
 */
export function openSqliteReader<DB>(file: string): {
  readonly db: Kysely<DB>;
  readonly close: () => Promise<void>;
} {
  const raw = openRawSqlite(file);
  raw.exec('pragma query_only = ON; pragma busy_timeout = 50');
  const database = new NodeSqliteDatabase(raw);
  const db = new Kysely<DB>({ dialect: new SqliteDialect({ database }) });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely doesn't close a database that was never used.
    database.close();
  };
  return { db, close };
}

function openRawSqlite(file: string): DatabaseSync {
  makePrivate(file);
  const raw = new DatabaseSync(file, {
    // Wait for locks up to 5 seconds while the file is opened.
    timeout: 5000,
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
      pragma cache_size = -${CACHE_KIB};
    `);
  } catch (error) {
    raw.close();
    throw error;
  }
  return raw;
}

/**
 * Creates the file for its owner only, since SQLite would make it world-readable. Doesn't open an existing file,
 * since closing it would release the locks of this process.
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

const mostStatements = 200;

class NodeSqliteDatabase implements SqliteDatabase {
  readonly #raw: DatabaseSync;
  readonly #statements = new Map<string, NodeSqliteStatement>();

  constructor(raw: DatabaseSync) {
    this.#raw = raw;
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) {
      return cached;
    }
    const statement = new NodeSqliteStatement(this.#raw, sql);
    const oldest = this.#statements.keys().next();
    if (this.#statements.size >= mostStatements && oldest.done !== true) {
      this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    if (this.#raw.isOpen) {
      this.#raw.close();
    }
  }
}

/** Gets rows from node:sqlite as arrays. For objects, it would look up the column names for each row. */
class NodeSqliteStatement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;
  readonly #names: readonly string[];

  constructor(raw: DatabaseSync, sql: string) {
    this.#statement = raw.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#names = this.#statement.columns().map(({ name }) => name);
    this.reader = this.#names.length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    const rows = this.#statement.all(...parameters.map(toSqliteValue)) as unknown as unknown[][];
    return rows.map((values) => this.#toRow(values));
  }

  #toRow(values: readonly unknown[]): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < values.length; at += 1) {
      row[this.#names[at] as string] = values[at];
    }
    return row;
  }

  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  } {
    return this.#statement.run(...parameters.map(toSqliteValue));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.all(parameters).values();
  }
}

/** Converts booleans and `undefined`, which node:sqlite rejects. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  if (value === null || value === undefined) {
    return null;
  }
  if (typeof value === 'boolean') {
    return value ? 1 : 0;
  }
  if (value instanceof Uint8Array) {
    return value;
  }
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}`);
}
