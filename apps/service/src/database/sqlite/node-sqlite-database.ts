import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const mostStatements = 200;

/** `node:sqlite` in the shape that Kysely's SQLite dialect asks for, with prepared statements kept for the next call. */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #raw: DatabaseSync;
  readonly #statements = new Map<string, NodeSqliteStatement>();

  constructor(raw: DatabaseSync) {
    this.#raw = raw;
  }

  prepare(sql: string): SqliteStatement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) {
      return kept;
    }
    const made = new NodeSqliteStatement(this.#raw, sql);
    const oldest = this.#statements.keys().next();
    if (this.#statements.size >= mostStatements && oldest.done !== true) {
      this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, made);
    return made;
  }

  close(): void {
    this.#statements.clear();
    if (this.#raw.isOpen) {
      this.#raw.close();
    }
  }
}

class NodeSqliteStatement implements SqliteStatement {
  readonly reader: boolean;
  readonly #raw: DatabaseSync;
  readonly #sql: string;
  readonly #statement: StatementSync;

  constructor(raw: DatabaseSync, sql: string) {
    this.#raw = raw;
    this.#sql = sql;
    this.#statement = raw.prepare(sql);
    this.reader = this.#statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#statement.all(...parameters.map(bound));
  }

  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  } {
    return this.#statement.run(...parameters.map(bound));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    // A statement of its own: the kept one may run again while this iteration is still under way.
    return this.#raw.prepare(this.#sql).iterate(...parameters.map(bound));
  }
}

/** SQLite has no booleans, and node:sqlite refuses them and `undefined`. */
function bound(value: unknown): SQLInputValue {
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
  throw new TypeError(`SQLite cannot keep a value of type ${typeof value}`);
}
