import type { Kysely } from 'kysely';
import {
  BatchLoader,
  keySlotNames,
  keySlots,
  type KeySlots,
} from '../../database/postgres/batch-loader.ts';
import { PreparedQuery, type Prepare } from '../../database/prepared-query.ts';
import type { AccessSchema } from '../access-schema.ts';

/** A session with its person and desk, as they are now. */
export interface SessionRow {
  readonly session_id: string;
  readonly token_id: string;
  readonly secret_hash: Uint8Array;
  readonly team_id: string;
  readonly began_ms: number;
  readonly expires_ms: number;
  readonly ends_ms: number;
  readonly locked_ms: number | null;
  readonly ended_ms: number | null;
  readonly method: string;
  /** Role by the groups of the provider, if any. */
  readonly role_by_group: string | null;
  readonly staff_id: string;
  readonly staff_name: string;
  readonly staff_role: string;
  readonly disabled_ms: number | null;
  readonly desk_id: string;
  readonly desk_name: string;
  readonly thumbprint: string;
  readonly revoked_ms: number | null;
}

/** Looks up the current rows of a session by the id of its token, if any. */
export interface SessionLookup {
  first(tokenId: string): SessionRow | undefined | Promise<SessionRow | undefined>;
}

export function singleSessionLookup(db: Kysely<AccessSchema>, prepare: Prepare): SessionLookup {
  const byId = new PreparedQuery<{ tokenId: string }, SessionRow>(prepare, (slot) =>
    sessionRows(db).where('token_id', '=', slot('tokenId')),
  );
  return { first: (tokenId) => byId.first({ tokenId }) };
}

/** Batches concurrent lookups into one statement, as those of keys. */
export function batchedSessionLookup(db: Kysely<AccessSchema>, prepare: Prepare): SessionLookup {
  const byIds = new PreparedQuery<KeySlots, SessionRow>(prepare, (slot) =>
    sessionRows(db).where('token_id', 'in', keySlotNames.map(slot)),
  );
  return new BatchLoader(async (tokenIds) => {
    const rows = await byIds.rows(keySlots(tokenIds));
    return new Map(rows.map((row) => [row.token_id, row]));
  });
}

function sessionRows(db: Kysely<AccessSchema>) {
  return db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.staff_id', 'sessions.staff_id')
    .innerJoin('desks', 'desks.desk_id', 'sessions.desk_id')
    .select([
      'sessions.session_id',
      'sessions.token_id',
      'sessions.secret_hash',
      'sessions.team_id',
      'sessions.began_ms',
      'sessions.expires_ms',
      'sessions.ends_ms',
      'sessions.locked_ms',
      'sessions.ended_ms',
      'sessions.method',
      'sessions.role as role_by_group',
      'staff.staff_id',
      'staff.name as staff_name',
      'staff.role as staff_role',
      'staff.disabled_ms',
      'desks.desk_id',
      'desks.name as desk_name',
      'desks.thumbprint',
      'desks.revoked_ms',
    ]);
}
