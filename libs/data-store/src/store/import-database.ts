import type { StoreSchema, TableName } from './schema.ts';

/** SQLite is synchronous. */
type Awaitable<T> = T | Promise<T>;

export interface ImportDatabase {
  /** @throws ImportFailedError if another process still writes to the store after `waitMs` */
  begin(waitMs: number, onWaiting?: () => void): Promise<void>;

  /** A transaction that only reads waits for nobody, and ends with {@link rollback}. */
  beginReading(): Awaitable<void>;

  /** Until the end of the transaction, no other import writes to these teams. @throws ImportFailedError as {@link begin} */
  lockTeams(teams: readonly Uint8Array[]): Awaitable<void>;

  /** Rows that have one of these keys, in the order of the table's primary key within each. */
  find<Name extends keyof StoreSchema, Column extends keyof StoreSchema[Name] & string>(
    table: Name,
    columns: readonly Column[],
    keys: readonly Partial<StoreSchema[Name]>[],
  ): Awaitable<Pick<StoreSchema[Name], Column>[]>;

  /** Inserts rows or changes those of the same key, one after the other; rows that are already so are in neither number. */
  upsert<Name extends TableName>(
    table: Name,
    rows: readonly StoreSchema[Name][],
  ): Awaitable<{ added: number; updated: number }>;

  /** @param people each only once */
  putPeople(people: readonly SearchedPerson[]): Awaitable<void>;

  dropPerson(person: PersonKey): Awaitable<void>;

  /** @param statement in the SQL of both engines, with parameters `$1`, `$2`, … */
  run(statement: string, values: readonly (string | number | Uint8Array)[]): Awaitable<void>;

  /** Rows of a query in the SQL of both engines. */
  rows<Row extends object>(
    statement: string,
    values: readonly (string | number | Uint8Array)[],
  ): Awaitable<Row[]>;

  commit(): Awaitable<void>;

  rollback(): Awaitable<void>;

  /** Overwrites deleted bytes, outside a transaction. @throws ImportFailedError if the store is in use after `waitMs` */
  scrub(waitMs: number): Promise<void>;

  close(): Awaitable<void>;
}

export type SearchedPerson = StoreSchema['people'] & { readonly tokens: readonly number[] };

export type PersonKey = Pick<StoreSchema['people'], 'team_id' | 'user_id'>;

export const stillWriting = 'Another process is still writing to this store. Try again later.';

export function keyOf(team: Uint8Array, id: Uint8Array): string {
  return Buffer.concat([team, id]).toString('latin1');
}

export async function reading<T>(db: ImportDatabase, read: () => T | Promise<T>): Promise<T> {
  await db.beginReading();
  try {
    return await read();
  } finally {
    await db.rollback();
  }
}
