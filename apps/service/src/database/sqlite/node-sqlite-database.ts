import type { CompiledQuery, SqliteDatabase, SqliteStatement } from 'kysely';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Statement } from '../prepared-query.ts';

const mostStatements = 200;

/** Adapts `node:sqlite` to Kysely's SQLite dialect, with a cache of prepared statements. */
export class NodeSqliteDatabase implements SqliteDatabase {
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
    // A separate statement: the cached one may be executed again during the iteration.
    return this.#raw.prepare(this.#sql).iterate(...parameters.map(bound));
  }
}

export interface StatementAtOnce<Row> extends Statement<Row> {
  rows(parameters: readonly unknown[]): readonly Row[];
  first(parameters: readonly unknown[]): Row | undefined;
}

export type PrepareAtOnce = <Row>(query: CompiledQuery<Row>) => StatementAtOnce<Row>;

/**
 * Statements that run synchronously, bypassing Kysely: a read takes less time than acquiring a connection. The connection
 * must not write: its own open transaction would be read too.
 */
export function prepareOnSqlite(raw: DatabaseSync): PrepareAtOnce {
  return <Row>({ sql }: CompiledQuery<Row>): StatementAtOnce<Row> => {
    let cached: ArrayStatement | undefined;
    const statement = (): ArrayStatement => (cached ??= new ArrayStatement(raw, sql));
    return {
      rows: (parameters) => statement().rows(parameters) as Row[],
      first: (parameters) => statement().first(parameters) as Row | undefined,
    };
  };
}

/** Rows come as arrays: as objects, node:sqlite looks up the column names for each row. */
class ArrayStatement {
  readonly #statement: StatementSync;
  readonly #names: readonly string[];

  constructor(raw: DatabaseSync, sql: string) {
    this.#statement = raw.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#names = this.#statement.columns().map(({ name }) => name);
  }

  rows(parameters: readonly unknown[]): Record<string, unknown>[] {
    const rows = this.#statement.all(...parameters.map(bound)) as unknown as unknown[][];
    return rows.map((values) => this.#named(values));
  }

  first(parameters: readonly unknown[]): Record<string, unknown> | undefined {
    const values = this.#statement.get(...parameters.map(bound)) as unknown[] | undefined;
    return values && this.#named(values);
  }

  #named(values: readonly unknown[]): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < values.length; at += 1) {
      row[this.#names[at] as string] = values[at];
    }
    return row;
  }
}

/** Converts booleans and `undefined`, which node:sqlite rejects. */
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
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}`);
}
