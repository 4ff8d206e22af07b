import type { Kysely, Selectable } from 'kysely';
import { PreparedQuery } from '../../database/prepared-query.ts';
import {
  BatchLoader,
  keySlotNames,
  keySlots,
  type KeySlots,
} from '../../database/postgres/batch-loader.ts';
import type { AccessSchema } from '../access-schema.ts';

export type KeyRow = Selectable<AccessSchema['keys']>;

/** The row of a key's id as it is now, if there is one. */
export interface KeyLookUp {
  first(keyId: string): Promise<KeyRow | undefined>;
}

export function keysOneByOne(db: Kysely<AccessSchema>): KeyLookUp {
  const byId = new PreparedQuery<{ keyId: string }, KeyRow>((slot) =>
    db.selectFrom('keys').selectAll().where('key_id', '=', slot('keyId')),
  );
  return { first: (keyId) => byId.first(db, { keyId }) };
}

/** Look-ups of the same moment are one statement: worth it where the database is another process. */
export function keysTogether(db: Kysely<AccessSchema>): KeyLookUp {
  const byIds = new PreparedQuery<KeySlots, KeyRow>((slot) =>
    db.selectFrom('keys').selectAll().where('key_id', 'in', keySlotNames.map(slot)),
  );
  return new BatchLoader(async (keyIds) => {
    const rows = await byIds.rows(db, keySlots(keyIds));
    return new Map(rows.map((row) => [row.key_id, row]));
  });
}
