import { sql, type ControlledTransaction, type Kysely } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from '../database/sqlite/sqlite-errors.ts';
import { getErrorCode } from '../operator-error.ts';
import { ImportFailedError } from './import/import-types.ts';
import {
  postgresPeopleIndex,
  sqlitePeopleIndex,
  type PeopleIndex,
  type IndexedPerson,
} from './people/people-index.ts';
import { findRows, upsertRows, type Find } from './keyed-rows.ts';
import {
  storeSchema,
  formatUuid,
  type Engine,
  type PersonKey,
  type StoreSchema,
} from './schema.ts';

const RETRY_MS = 100;

/**
 * Writes to the store on either engine, one transaction at a time. On PostgreSQL, imports of different teams run in
 * parallel.
 */
export class ImportDatabase {
  readonly #db: Kysely<StoreSchema>;
  readonly #engine: Engine;
  readonly #people: PeopleIndex;
  readonly #lockedTeams = new Set<string>();
  #transaction: ControlledTransaction<StoreSchema> | undefined;
  #waitMs = 0;
  #onWaiting: (() => void) | undefined;

  /** @param db has one connection without statement timeout, and is closed with this */
  constructor(db: Kysely<StoreSchema>, engine: Engine) {
    this.#db = db;
    this.#engine = engine;
    this.#people = engine === 'sqlite' ? sqlitePeopleIndex : postgresPeopleIndex;
  }

  get transaction(): Kysely<StoreSchema> {
    if (this.#transaction === undefined) {
      throw new Error('No transaction is open');
    }
    return this.#transaction;
  }

  /** @throws ImportFailedError if another process still writes to the store after `waitMs` */
  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    this.#waitMs = waitMs;
    this.#onWaiting = onWaiting;
    this.#lockedTeams.clear();
    this.#transaction = await this.#retryWhileBusy(waitMs, () =>
      this.#db.startTransaction().execute(),
    );
    if (this.#engine === 'postgres') {
      await sql.raw(BEGIN_ON_POSTGRES).execute(this.#transaction);
    }
  }

  /** Runs a transaction that only reads, which waits for no writer. */
  async readInTransaction<T>(read: () => T | Promise<T>): Promise<T> {
    this.#transaction = await this.#db
      .startTransaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute();
    try {
      if (this.#engine === 'postgres') {
        await sql.raw(`set local search_path = ${storeSchema}`).execute(this.#transaction);
      }
      return await read();
    } finally {
      await this.rollback();
    }
  }

  /**
   * Prevents other imports from writing to these teams until the transaction ends. @throws ImportFailedError as
   * {@link begin}
   */
  async lockTeams(teams: readonly Uint8Array[]): Promise<void> {
    // SQLite always locks the whole store.
    const names = this.#engine === 'sqlite' ? [] : teams.map(formatUuid);
    // Sorted, to avoid deadlocks between imports of the same teams.
    for (const name of [...new Set(names)].sort()) {
      if (!this.#lockedTeams.has(name)) {
        await this.#lock(`caregate import ${name}`);
        this.#lockedTeams.add(name);
      }
    }
  }

  /** Returns the rows that have one of these keys. For each key, they are in the order of the table's primary key. */
  find: Find = (table, columns, keys) =>
    findRows(this.transaction, this.#engine, table, columns, keys);

  /**
   * Inserts or updates rows by their primary key. Rows that are already stored with the same values count as neither.
   */
  async upsert<Name extends keyof StoreSchema>(
    table: Name,
    rows: readonly StoreSchema[Name][],
  ): Promise<{ added: number; updated: number }> {
    return await upsertRows(this.transaction, table, rows);
  }

  /** @param people must not contain a person twice */
  async putPeople(people: readonly IndexedPerson[]): Promise<void> {
    await this.#people.put(this.transaction, people);
  }

  /** Makes SQLite overwrite deleted content with zeros from now on. */
  async overwriteDeleted(): Promise<void> {
    if (this.#engine === 'sqlite') {
      await sql.raw('pragma secure_delete = ON').execute(this.#db);
    }
  }

  async dropPerson(person: PersonKey): Promise<void> {
    await this.#people.drop(this.transaction, person);
  }

  async commit(): Promise<void> {
    await this.#transaction?.commit().execute();
    this.#transaction = undefined;
    await this.#truncateWal();
  }

  async rollback(): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    try {
      await transaction?.rollback().execute();
    } catch {
      // The rollback fails if SQLite has already rolled back on a full disk, or if PostgreSQL's connection was lost.
    }
    await this.#truncateWal();
  }

  /**
   * Overwrites deleted bytes; call it outside of a transaction. On PostgreSQL, reads continue, and only `vacuum full`
   * would overwrite everything.
   * @throws ImportFailedError if the store is in use after `waitMs`
   */
  async scrub(waitMs: number): Promise<void> {
    if (this.#engine === 'postgres') {
      // PostgreSQL's statistics contain values, too.
      const ownTables = sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
        where c.relnamespace = ${storeSchema}::regnamespace and c.relkind = 'r'
          and pg_has_role(c.relowner, 'usage')`;
      for (const { name } of (await ownTables.execute(this.#db)).rows) {
        await sql.raw(`vacuum (analyze) ${name}`).execute(this.#db);
      }
      return;
    }
    // The full-text index only marks deleted entries, free pages contain earlier versions of rows, and the WAL has
    // copies of pages.
    for (const statement of [
      `insert into people_index (people_index) values ('optimize')`,
      'vacuum',
      TRUNCATE_WAL,
    ]) {
      await this.#retryWhileBusy(waitMs, async () => {
        const { rows } = await sql.raw<{ busy?: number }>(statement).execute(this.#db);
        // The checkpoint reports in its result row that it was blocked.
        return rows[0]?.busy === 1 ? undefined : true;
      });
    }
  }

  async close(): Promise<void> {
    await this.rollback();
    await this.#db.destroy();
  }

  /** Retries while another process has SQLite's lock, or while `attempt` returns undefined. */
  async #retryWhileBusy<T>(waitMs: number, attempt: () => Promise<T | undefined>): Promise<T> {
    const until = performance.now() + waitMs;
    for (let isFirst = true; ; isFirst = false) {
      let busy: unknown;
      try {
        const result = await attempt();
        if (result !== undefined) {
          return result;
        }
      } catch (error) {
        if (!isBusy(error)) {
          throw error;
        }
        busy = error;
      }
      if (performance.now() >= until) {
        throw new ImportFailedError('store', STILL_WRITING, busy);
      }
      if (isFirst) {
        this.#onWaiting?.();
      }
      await sleep(RETRY_MS);
    }
  }

  async #lock(name: string): Promise<void> {
    const db = this.transaction;
    const key = sql`hashtextextended(${name}, 0)`;
    const attempt = sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${key}) as got`;
    if ((await attempt.execute(db)).rows[0]?.got === true) {
      return;
    }
    this.#onWaiting?.();
    this.#onWaiting = undefined;
    try {
      await sql.raw(`set local lock_timeout = ${Math.max(1, this.#waitMs)}`).execute(db);
      await sql`select pg_advisory_xact_lock(${key})`.execute(db);
      await sql.raw('set local lock_timeout to default').execute(db);
    } catch (error) {
      // Lock timeout, or a deadlock of two files with records of several teams.
      throw ['55P03', '40P01'].includes(getErrorCode(error))
        ? new ImportFailedError('store', STILL_WRITING, error)
        : error;
    }
  }

  async #truncateWal(): Promise<void> {
    if (this.#engine === 'sqlite') {
      try {
        await sql.raw(TRUNCATE_WAL).execute(this.#db);
      } catch {
        // The commit is already durable in the WAL. The next checkpoint will truncate it.
      }
    }
  }
}

const STILL_WRITING = 'Another process is still writing to this store. Try again later.';
const TRUNCATE_WAL = 'pragma wal_checkpoint(truncate)';

/** Forces index lookups. New tables have no statistics, which would mislead the planner. */
export const BEGIN_ON_POSTGRES = `set local search_path = ${storeSchema};
  set local enable_hashjoin = off; set local enable_mergejoin = off`;
