import { sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { PRIMARY_KEYS, type Engine, type StoreSchema } from './schema.ts';

/** Rows in one statement. The parameters of the widest table must stay below SQLite's limit (32,766). */
const ROWS_AT_ONCE = 500;

type Value = string | number | Uint8Array;
type Row = Readonly<Record<string, Value>>;
/** For tables and columns that are named at run time. */
type AnyTables = Kysely<Record<string, Row>>;

/** Inserts or updates rows by their primary key. @returns the numbers of rows that were added and changed */
export async function upsertRows<Name extends keyof StoreSchema>(
  database: Kysely<StoreSchema>,
  table: Name,
  rows: readonly StoreSchema[Name][],
): Promise<{ added: number; updated: number }> {
  const db = database as unknown as AnyTables;
  const key: readonly string[] = PRIMARY_KEYS[table];
  const others = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column));
  const name: string = table;
  const differs = sql<SqlBool>`(${sql.join(
    others
      .filter((column) => column !== 'changed_in')
      .map((column) => sql`${sql.ref(`${table}.${column}`)} <> ${refExcluded(column)}`),
    sql` or `,
  )})`;
  let [added, updated] = [0, 0];
  for (const chunk of splitIntoChunks(rows, key)) {
    const insert = db.insertInto(name).values(chunk);
    const inserted = await insert
      .onConflict((conflict) => conflict.columns(key).doNothing())
      .executeTakeFirst();
    added += Number(inserted.numInsertedOrUpdatedRows);
    if (Number(inserted.numInsertedOrUpdatedRows) < chunk.length) {
      const changed = await insert
        .onConflict((conflict) =>
          conflict
            .columns(key)
            .doUpdateSet(Object.fromEntries(others.map((column) => [column, refExcluded(column)])))
            .where(differs),
        )
        .executeTakeFirst();
      updated += Number(changed.numInsertedOrUpdatedRows);
    }
  }
  return { added, updated };
}

export type Find = <
  Name extends keyof StoreSchema,
  Column extends keyof StoreSchema[Name] & string,
>(
  table: Name,
  columns: readonly Column[],
  keys: readonly Partial<StoreSchema[Name]>[],
) => Promise<Pick<StoreSchema[Name], Column>[]>;

export async function findRows<
  Name extends keyof StoreSchema,
  Column extends keyof StoreSchema[Name] & string,
>(
  db: Kysely<StoreSchema>,
  engine: Engine,
  table: Name,
  columns: readonly Column[],
  keys: readonly Partial<StoreSchema[Name]>[],
): Promise<Pick<StoreSchema[Name], Column>[]> {
  const name: string = table;
  const rows: unknown[] = [];
  for (const chunk of splitIntoChunks(keys as readonly Row[])) {
    let query = (db as unknown as AnyTables)
      .selectFrom(name)
      .select(columns as readonly string[])
      .where(hasKey(engine, chunk));
    for (const column of PRIMARY_KEYS[table]) {
      // The `+` prevents that SQLite chooses an index by this order instead of the key, and reads all orders of a
      // team.
      query = query.orderBy(engine === 'sqlite' ? sql`+${sql.ref(column)}` : sql.ref(column));
    }
    rows.push(...(await query.execute()));
  }
  return rows as Pick<StoreSchema[Name], Column>[];
}

/**
 * Yields chunks of at most {@link ROWS_AT_ONCE} rows. A chunk has no two rows with the same key, since a statement
 * can't change a row twice.
 */
function* splitIntoChunks(rows: readonly Row[], key?: readonly string[]): Generator<Row[]> {
  let chunk: Row[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const text = key?.map((column) => formatKey(row[column])).join('\0');
    if (chunk.length >= ROWS_AT_ONCE || (text !== undefined && seen.has(text))) {
      yield chunk;
      chunk = [];
      seen.clear();
    }
    chunk.push(row);
    if (text !== undefined) {
      seen.add(text);
    }
  }
  if (chunk.length > 0) {
    yield chunk;
  }
}

function hasKey(engine: Engine, keys: readonly Row[]): Expression<SqlBool> {
  const columns = Object.keys(keys[0] ?? {});
  const values = keys.map((key) => sql`(${sql.join(columns.map((column) => key[column]))})`);
  const list = sql`(${engine === 'sqlite' ? sql`values ` : sql``}${sql.join(values)})`;
  return sql<SqlBool>`(${sql.join(columns.map((column) => sql.ref(column)))}) in ${list}`;
}

function refExcluded(column: string): RawBuilder<Value> {
  return sql<Value>`excluded.${sql.ref(column)}`;
}

function formatKey(value: Value | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
