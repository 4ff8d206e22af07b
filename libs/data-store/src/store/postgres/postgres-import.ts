import type pg from 'pg';
import { errorCode } from '../../operator-error.ts';
import {
  stillWriting,
  type ImportDatabase,
  type PersonKey,
  type SearchedPerson,
} from '../import-database.ts';
import { ImportFailedError } from '../import/import-types.ts';
import { rebuildPeople } from '../people/rebuild-people.ts';
import { columnsOf, orderOf, uuidText, type StoreSchema, type TableName } from '../schema.ts';
import { storeSchema } from './postgres-schema.ts';

/** Rows per statement, and people per step of a fill. */
const mostRows = 5000;

type Value = string | number | Uint8Array;
type Row = Readonly<Record<string, Value>>;

/** One transaction on a connection. Imports of different teams run at the same time. */
export class PostgresImport implements ImportDatabase {
  readonly #pool: pg.Pool;
  readonly #locked = new Set<string>();
  #client: pg.PoolClient | undefined;
  #waitMs = 0;
  #onWaiting: (() => void) | undefined;

  /** @param pool with one connection and no statement timeout; closed with this */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    this.#waitMs = waitMs;
    this.#onWaiting = onWaiting;
    this.#locked.clear();
    this.#client = await this.#pool.connect();
    // A search scans GIN's pending list, so it is kept short.
    await this.#open.query(
      `begin; set local search_path = ${storeSchema}; set local gin_pending_list_limit = '1MB'; ${byIndex}`,
    );
  }

  async beginReading(): Promise<void> {
    await this.begin(0);
    await this.#open.query('set transaction isolation level repeatable read, read only');
  }

  async lockTeams(teams: readonly Uint8Array[]): Promise<void> {
    const names = new Set(teams.map((team) => Buffer.from(team).toString('latin1')));
    // Sorted, since two imports may want the same teams.
    for (const name of [...names].filter((each) => !this.#locked.has(each)).sort()) {
      await this.#lock(`caregate import ${uuidText(Buffer.from(name, 'latin1'))}`);
      this.#locked.add(name);
    }
  }

  async #lock(name: string): Promise<void> {
    const client = this.#open;
    const key = 'hashtextextended($1, 0)';
    const { rows } = await client.query<{ got: boolean }>(
      `select pg_try_advisory_xact_lock(${key}) as got`,
      [name],
    );
    if (rows[0]?.got === true) {
      return;
    }
    this.#onWaiting?.();
    this.#onWaiting = undefined;
    try {
      await client.query(`set local lock_timeout = ${Math.max(1, this.#waitMs)}`);
      await client.query(`select pg_advisory_xact_lock(${key})`, [name]);
      await client.query('set local lock_timeout to default');
    } catch (error) {
      // Timeout, or a deadlock of two files with the lines of several teams.
      throw ['55P03', '40P01'].includes(errorCode(error))
        ? new ImportFailedError('store', stillWriting, error)
        : error;
    }
  }

  find<Name extends keyof StoreSchema, Column extends keyof StoreSchema[Name] & string>(
    table: Name,
    columns: readonly Column[],
    keys: readonly Partial<StoreSchema[Name]>[],
  ): Promise<Pick<StoreSchema[Name], Column>[]> {
    return find(this.#open, table, columns, keys);
  }

  async upsert<Name extends TableName>(
    table: Name,
    rows: readonly StoreSchema[Name][],
  ): Promise<{ added: number; updated: number }> {
    const { all, key } = columnsOf(table);
    let [added, updated] = [0, 0];
    for (let from = 0; from < rows.length; from += mostRows) {
      const some = rows.slice(from, from + mostRows) as unknown as readonly Row[];
      const { source, values } = unnested(some, all);
      const inserted = await this.#open.query(
        `insert into ${table} (${all.join(', ')}) select * from ${source}
          on conflict (${key.join(', ')}) do nothing`,
        values,
      );
      added += inserted.rowCount ?? 0;
      if (inserted.rowCount !== some.length) {
        updated += await this.#update(table, some);
      }
    }
    return { added, updated };
  }

  /** If a key occurs several times, there is one round for the first rows, one for the second, and so on. */
  async #update(table: TableName, rows: readonly Row[]): Promise<number> {
    const { all, key, rest, told } = columnsOf(table);
    const rounds: Row[][] = [];
    const seen = new Map<string, number>();
    for (const row of rows) {
      const text = key.map((name) => String(row[name])).join('\0');
      const round = seen.get(text) ?? 0;
      seen.set(text, round + 1);
      (rounds[round] ??= []).push(row);
    }
    let updated = 0;
    for (const round of rounds) {
      const { source, values } = unnested(round, all);
      const done = await this.#open.query(
        `update ${table} t set ${rest.map((name) => `${name} = k.${name}`).join(', ')}
          from ${source}
          where ${key.map((name) => `t.${name} = k.${name}`).join(' and ')}
            and (${told.map((name) => `t.${name} <> k.${name}`).join(' or ')})`,
        values,
      );
      updated += done.rowCount ?? 0;
    }
    return updated;
  }

  putPeople(people: readonly SearchedPerson[]): Promise<void> {
    return putPeople(this.#open, people);
  }

  async dropPerson({ team_id, user_id }: PersonKey): Promise<void> {
    await this.run('delete from people where team_id = $1 and user_id = $2', [team_id, user_id]);
  }

  async run(statement: string, values: readonly Value[]): Promise<void> {
    await this.#open.query(statement, [...values]);
  }

  async rows<Row extends object>(statement: string, values: readonly Value[]): Promise<Row[]> {
    return (await this.#open.query<Row>(statement, [...values])).rows;
  }

  async commit(): Promise<void> {
    const client = this.#open;
    await client.query(indexPending);
    await client.query('commit');
    this.#client = undefined;
    client.release();
  }

  async rollback(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) {
      const undone = await client.query('rollback').then(
        () => true,
        () => false,
      );
      // A connection that fails to roll back is dropped.
      client.release(!undone);
    }
  }

  /** Reads go on. Statistics hold values, too. The rest is for `vacuum full`, which nobody can read beside. */
  async scrub(): Promise<void> {
    const { rows } = await this.#pool.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
        where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition and pg_has_role(c.relowner, 'usage')`,
      [storeSchema],
    );
    for (const { name } of rows) {
      await this.#pool.query(`vacuum (analyze) ${name}`);
    }
  }

  async close(): Promise<void> {
    await this.rollback();
    await this.#pool.end();
  }

  get #open(): pg.PoolClient {
    if (this.#client === undefined) {
      throw new Error('No transaction is open');
    }
    return this.#client;
  }
}

/** Rebuilds the index of all people; must be called in a transaction. */
export async function fillPeople(
  client: pg.ClientBase,
  onDone?: (people: number, of: number) => void,
): Promise<void> {
  await client.query(`set local gin_pending_list_limit = '32MB'; ${byIndex}`);
  const { rows: counts } = await client.query<{ all: number }>(
    `select count(*)::integer as all from ${storeSchema}.users`,
  );
  const db: Parameters<typeof rebuildPeople>[0] = {
    find: (table, columns, keys) => find(client, table, columns, keys),
    putPeople: (people) => putPeople(client, people),
  };
  let done = 0;
  for (let last = ['\\x', '\\x'] as (string | Uint8Array)[]; ;) {
    const { rows } = await client.query<PersonKey>(
      `select team_id, user_id from ${storeSchema}.users where (team_id, user_id) > ($1, $2)
        order by team_id, user_id limit ${mostRows}`,
      last,
    );
    const end = rows.at(-1);
    if (end === undefined) {
      break;
    }
    await rebuildPeople(db, rows);
    onDone?.((done += rows.length), counts[0]?.all ?? 0);
    last = [end.team_id, end.user_id];
  }
  await client.query(indexPending);
  await client.query(
    `set local enable_hashjoin to default; set local enable_mergejoin to default;
      analyze ${storeSchema}.people`,
  );
}

/** Rows are found by their keys, whatever statistics say of tables that have just been filled. */
const byIndex = 'set local enable_hashjoin = off; set local enable_mergejoin = off';

/** Only its owner may index the waiting tokens: with another role some are left, and searches take a little longer. */
const indexPending = `
  select gin_clean_pending_list(c.oid)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = '${storeSchema}.people_by_token'::regclass and pg_has_role(c.relowner, 'usage')`;

async function find<
  Name extends keyof StoreSchema,
  Column extends keyof StoreSchema[Name] & string,
>(
  client: pg.ClientBase,
  table: Name,
  columns: readonly Column[],
  keys: readonly Partial<StoreSchema[Name]>[],
): Promise<Pick<StoreSchema[Name], Column>[]> {
  const [first] = keys;
  if (first === undefined) {
    return [];
  }
  const names = Object.keys(first);
  const { source, values } = unnested(keys as readonly Row[], names);
  const found = await client.query<Pick<StoreSchema[Name], Column>>(
    `select ${columns.join(', ')} from ${source} join ${storeSchema}.${table} t
      using (${names.join(', ')}) order by ${orderOf(table).join(', ')}`,
    values,
  );
  return found.rows;
}

async function putPeople(client: pg.ClientBase, people: readonly SearchedPerson[]): Promise<void> {
  if (people.length === 0) {
    return;
  }
  const rows = people.map(({ tokens, ...row }) => ({ ...row, tokens: `{${tokens.join(',')}}` }));
  const { source, values } = unnested(rows, ['team_id', 'user_id', 'facts', 'tokens']);
  await client.query(
    `insert into ${storeSchema}.people (team_id, user_id, facts, tokens)
      select team_id, user_id, facts, tokens::integer[] from ${source}
      on conflict (team_id, user_id) do update set facts = excluded.facts, tokens = excluded.tokens`,
    values,
  );
}

function unnested(
  rows: readonly Row[],
  columns: readonly string[],
): { source: string; values: string[] } {
  const arrays = columns.map((name, at) => {
    const value = rows[0]?.[name];
    const type =
      typeof value === 'number' ? 'bigint' : typeof value === 'string' ? 'text' : 'bytea';
    return `$${at + 1}::${type}[]`;
  });
  return {
    source: `unnest(${arrays.join(', ')}) as k (${columns.join(', ')})`,
    values: columns.map((name) => `{${rows.map((row) => elementOf(row[name] ?? '')).join(',')}}`),
  };
}

const control = /[\0-\x1f]/u;

/** https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO, which takes `pg` a third of the import's time. */
function elementOf(value: Value): string {
  if (typeof value === 'number') {
    return String(value);
  }
  if (typeof value !== 'string') {
    const { buffer, byteOffset, byteLength } = value;
    return `"\\\\x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}"`;
  }
  return control.test(value) ? `"${value.replace(/["\\]/gu, '\\$&')}"` : JSON.stringify(value);
}
