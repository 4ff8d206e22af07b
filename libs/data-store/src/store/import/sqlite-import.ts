import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from '../../database/sqlite/sqlite-errors.ts';
import { openStoreForWriting, tokenText } from '../open-store.ts';
import { columnsOf, orderOf, type StoreSchema, type TableName } from '../schema.ts';
import {
  stillWriting,
  type ImportDatabase,
  type PersonKey,
  type SearchedPerson,
} from '../import-database.ts';
import { ImportFailedError } from './import-types.ts';
import { ImportWriter } from './import-writer.ts';
import { PersonEraser } from './person-eraser.ts';

/** Rows per statement: 32 take half as long again as one; larger batches are not faster (measured). */
const batches = [32, 8, 1];

export async function openSqliteImport(dataFolder: string): Promise<ImportDatabase> {
  return new SqliteImport(await openStoreForWriting(dataFolder));
}

export async function openSqliteWriter(dataFolder: string): Promise<ImportWriter> {
  return new ImportWriter(await openSqliteImport(dataFolder));
}

/** What is deleted is overwritten with zeros. */
export async function openSqliteEraser(dataFolder: string): Promise<PersonEraser> {
  const raw = await openStoreForWriting(dataFolder);
  raw.exec('pragma secure_delete = ON');
  return new PersonEraser(new SqliteImport(raw));
}

type Row = Readonly<Record<string, SQLInputValue>>;

/** Synchronous: a process imports one file at a time. */
class SqliteImport implements ImportDatabase {
  readonly #raw: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(raw: DatabaseSync) {
    this.#raw = raw;
  }

  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    const patience = AbortSignal.timeout(waitMs);
    for (let notified = false; ;) {
      try {
        this.#raw.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error)) {
          throw error;
        }
        if (patience.aborted) {
          throw new ImportFailedError('store', stillWriting, error);
        }
        if (!notified) {
          notified = true;
          onWaiting?.();
        }
        await sleep(100);
      }
    }
  }

  beginReading(): void {
    this.#raw.exec('begin');
  }

  /** The whole store is locked. */
  lockTeams(): void {}

  find<Name extends keyof StoreSchema, Column extends keyof StoreSchema[Name] & string>(
    table: Name,
    columns: readonly Column[],
    keys: readonly Partial<StoreSchema[Name]>[],
  ): Pick<StoreSchema[Name], Column>[] {
    const rows: unknown[] = [];
    // With `+`, SQLite can't take an index for the order that it needs for the key: it would read all orders of a team.
    const order = orderOf(table).map((name) => `+${name}`);
    for (const key of keys as readonly Row[]) {
      const where = Object.keys(key).map((name) => `${name} = ?`);
      const find = this.#prepare(
        `select ${columns.join(', ')} from ${table} where ${where.join(' and ')} order by ${order.join(', ')}`,
      );
      rows.push(...find.all(...Object.values(key)));
    }
    return rows as Pick<StoreSchema[Name], Column>[];
  }

  upsert<Name extends TableName>(
    table: Name,
    rows: readonly StoreSchema[Name][],
  ): { added: number; updated: number } {
    const { all, key, rest, told } = columnsOf(table);
    const values = (rows as readonly Row[]).map((row) => all.map((name) => row[name] ?? null));
    let added = 0;
    let next = 0;
    for (const size of batches) {
      const one = `(${all.map(() => '?').join(', ')})`;
      const insert = this.#prepare(
        `insert into ${table} (${all.join(', ')})
          values ${Array<string>(size).fill(one).join(', ')}
          on conflict (${key.join(', ')}) do nothing`,
      );
      for (; values.length - next >= size; next += size) {
        added += Number(insert.run(...values.slice(next, next + size).flat()).changes);
      }
    }
    if (added === values.length) {
      return { added, updated: 0 };
    }
    const update = this.#prepare(
      `update ${table} set ${rest.map((name) => `${name} = ?`).join(', ')}
        where ${key.map((name) => `${name} = ?`).join(' and ')}
          and (${told.map((name) => `${name} <> ?`).join(' or ')})`,
    );
    let updated = 0;
    const parameters = [...rest, ...key, ...told];
    for (const row of rows as readonly Row[]) {
      updated += Number(update.run(...parameters.map((name) => row[name] ?? null)).changes);
    }
    return { added, updated };
  }

  putPeople(people: readonly SearchedPerson[]): void {
    const put = this.#prepare(
      `insert into people (team_id, user_id, facts) values (?, ?, ?)
        on conflict (team_id, user_id) do update set facts = excluded.facts returning number`,
    );
    const drop = this.#prepare('delete from people_index where rowid = ?');
    const add = this.#prepare('insert into people_index (rowid, tokens) values (?, ?)');
    for (const { team_id, user_id, facts, tokens } of people) {
      const number = Number(put.get(team_id, user_id, facts)?.['number']);
      drop.run(number);
      add.run(number, tokens.map(tokenText).join(' '));
    }
  }

  dropPerson({ team_id, user_id }: PersonKey): void {
    const drop = this.#prepare(
      'delete from people where team_id = ? and user_id = ? returning number',
    );
    const number = drop.get(team_id, user_id)?.['number'];
    if (number !== undefined) {
      this.#prepare('delete from people_index where rowid = ?').run(Number(number));
    }
  }

  run(statement: string, values: readonly SQLInputValue[]): void {
    this.#prepare(statement).run(named(values));
  }

  rows<Row extends object>(statement: string, values: readonly SQLInputValue[]): Row[] {
    return this.#prepare(statement).all(named(values)) as Row[];
  }

  commit(): void {
    this.#raw.exec('commit');
    this.#tidy();
  }

  rollback(): void {
    // On a full disk or a read error, SQLite has already rolled back.
    if (this.#raw.isTransaction) {
      this.#raw.exec('rollback');
    }
    this.#tidy();
  }

  async scrub(waitMs: number): Promise<void> {
    const patience = AbortSignal.timeout(waitMs);
    // The index only marks what is deleted; earlier versions of rows are in free pages; the WAL has all pages as they were.
    for (const statement of [
      `insert into people_index (people_index) values ('optimize')`,
      'vacuum',
      'pragma wal_checkpoint(truncate)',
    ]) {
      while (!this.#hasRun(statement)) {
        if (patience.aborted) {
          throw new ImportFailedError('store', stillWriting);
        }
        await sleep(100);
      }
    }
  }

  /** False if the file is in use. */
  #hasRun(statement: string): boolean {
    try {
      // A checkpoint says in its row that it could not end.
      return this.#raw.prepare(statement).all()[0]?.['busy'] !== 1;
    } catch (error) {
      if (isBusy(error)) {
        return false;
      }
      throw error;
    }
  }

  close(): void {
    this.#raw.close();
  }

  #tidy(): void {
    try {
      this.#raw.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // Everything committed is already durable in the WAL; the next checkpoint will retry.
    }
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#raw.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

function named(values: readonly SQLInputValue[]): Record<string, SQLInputValue> {
  return Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]));
}
