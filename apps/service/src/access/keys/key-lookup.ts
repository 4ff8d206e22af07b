import type { Kysely, Selectable } from 'kysely';
import { PreparedQuery, type Prepare } from '../../database/prepared-query.ts';
import {
  BatchLoader,
  keySlotNames,
  keySlots,
  type KeySlots,
} from '../../database/postgres/batch-loader.ts';
import type { AccessSchema } from '../access-schema.ts';

export type KeyRow = Selectable<AccessSchema['keys']>;

/** Neither revoked nor expired. */
export function isLive(row: Pick<KeyRow, 'revoked_ms' | 'expires_ms'>, now: number): boolean {
  return row.revoked_ms === null && now < row.expires_ms;
}

/** Looks up the current row of a key, if any. */
export interface KeyLookup {
  first(keyId: string): KeyRow | undefined | Promise<KeyRow | undefined>;
  /** Another one if anything has changed in the database since; missing where asking costs as much as looking up. */
  readonly version?: () => number;
}

export function singleKeyLookup(
  db: Kysely<AccessSchema>,
  { prepare, version }: { readonly prepare: Prepare; readonly version: () => number },
): KeyLookup {
  const byId = new PreparedQuery<{ keyId: string }, KeyRow>(prepare, (slot) =>
    db.selectFrom('keys').selectAll().where('key_id', '=', slot('keyId')),
  );
  return { first: (keyId) => byId.first({ keyId }), version };
}

/** Batches concurrent lookups into one statement: useful if the database is another process. */
export function batchedKeyLookup(db: Kysely<AccessSchema>, prepare: Prepare): KeyLookup {
  const byIds = new PreparedQuery<KeySlots, KeyRow>(prepare, (slot) =>
    db.selectFrom('keys').selectAll().where('key_id', 'in', keySlotNames.map(slot)),
  );
  return new BatchLoader(async (keyIds) => {
    const rows = await byIds.rows(keySlots(keyIds));
    return new Map(rows.map((row) => [row.key_id, row]));
  });
}
