import type { Kysely, Selectable } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';
import { rowLookup, type Lookups, type RowLookup } from '../../database/prepared-query.ts';

export type KeyRow = Selectable<AccessSchema['keys']>;

export function isLive(row: Pick<KeyRow, 'revoked_ms' | 'expires_ms'>, now: number): boolean {
  return row.revoked_ms === null && now < row.expires_ms;
}

export function keyLookup(db: Kysely<AccessSchema>, lookups: Lookups): RowLookup<KeyRow> {
  return rowLookup<KeyRow>(
    lookups,
    (ids) => db.selectFrom('keys').selectAll().where('key_id', 'in', ids),
    ({ key_id: id }) => id,
  );
}

/** Scopes and networks are stored as JSON arrays. */
export function strings(json: string): string[] {
  return JSON.parse(json) as string[];
}
