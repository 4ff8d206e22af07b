import type { InferResult, Kysely } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';
import { type Prepare, PreparedQuery } from '@caregate/data-store/database';

export type SessionRow = InferResult<ReturnType<typeof sessionRows>>[number];

export type SessionLookup = PreparedQuery<{ id: string }, SessionRow>;

export function sessionLookup(db: Kysely<AccessSchema>, prepare: Prepare): SessionLookup {
  return new PreparedQuery(prepare, (slot) => sessionRows(db).where('token_id', '=', slot('id')));
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
      'staff.staff_id',
      'staff.name as staff_name',
      'staff.role as staff_role',
      'staff.disabled_ms',
      'desks.desk_id',
      'desks.name as desk_name',
      'desks.thumbprint',
      'desks.second_thumbprint',
      'desks.second_since_ms',
      'desks.second_is_next',
      'desks.revoked_ms',
    ]);
}
