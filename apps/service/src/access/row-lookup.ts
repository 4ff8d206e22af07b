import type { Compilable } from 'kysely';
import {
  BatchLoader,
  keySlotNames,
  keySlots,
  type KeySlots,
} from '../database/postgres/batch-loader.ts';
import { PreparedQuery, type Prepare } from '../database/prepared-query.ts';

export interface RowLookup<Row> {
  first(id: string): Row | undefined | Promise<Row | undefined>;
}

export interface Lookups {
  readonly prepare: Prepare;
  /** Concurrent lookups in one statement: useful if the database is another process. */
  readonly isBatched: boolean;
}

/** @param select the rows with one of these ids */
export function rowLookup<Row>(
  { prepare, isBatched }: Lookups,
  select: (ids: readonly string[]) => Compilable<Row>,
  idOf: (row: Row) => string,
): RowLookup<Row> {
  if (!isBatched) {
    const byId = new PreparedQuery<{ id: string }, Row>(prepare, (slot) => select([slot('id')]));
    return { first: (id) => byId.first({ id }) };
  }
  const byIds = new PreparedQuery<KeySlots, Row>(prepare, (slot) => select(keySlotNames.map(slot)));
  return new BatchLoader(async (ids) => {
    const rows = await byIds.rows(keySlots(ids));
    return new Map(rows.map((row) => [idOf(row), row]));
  });
}
