import type { Kysely, Selectable } from 'kysely';
import { KeptQuery } from '../../source/store/compiled-query.ts';
import {
  AskedTogether,
  keySlotNames,
  keySlots,
  type KeySlots,
} from '../../source/store/postgres/asked-together.ts';
import type { AccessSchema } from '../access-schema.ts';

export type KeyRow = Selectable<AccessSchema['keys']>;

/** The row of a key's id as it is now, if there is one. */
export interface KeyLookUp {
  first(keyId: string): Promise<KeyRow | undefined>;
}

export function keysOneByOne(db: Kysely<AccessSchema>): KeyLookUp {
  const byId = new KeptQuery<{ keyId: string }, KeyRow>((slot) =>
    db.selectFrom('keys').selectAll().where('key_id', '=', slot('keyId')),
  );
  return { first: (keyId) => byId.first(db, { keyId }) };
}

/** Look-ups of the same moment are one statement: worth it where the database is another process. */
export function keysTogether(db: Kysely<AccessSchema>): KeyLookUp {
  const byIds = new KeptQuery<KeySlots, KeyRow>((slot) =>
    db.selectFrom('keys').selectAll().where('key_id', 'in', keySlotNames.map(slot)),
  );
  return new AskedTogether(async (keyIds) => {
    const rows = await byIds.rows(db, keySlots(keyIds));
    return new Map(rows.map((row) => [row.key_id, row]));
  });
}
