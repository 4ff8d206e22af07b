import { sql, type Kysely } from 'kysely';
import type { AccessSchema } from './access-schema.ts';
import type { GrantRow } from './grant.ts';
import type { Actor } from './principal.ts';

const REVOKING = 'not_justified';

interface WhichGrants {
  readonly grantId?: string;
  readonly teamId?: string | undefined;
  readonly unreviewed?: boolean;
  readonly after?: string | undefined;
  readonly most?: number;
}

/** Unreviewed ones oldest first, so that no new one hides them; all newest first. */
export async function grantRows(
  db: Kysely<AccessSchema>,
  { grantId, teamId, unreviewed = false, after, most }: WhichGrants,
): Promise<GrantRow[]> {
  return await db
    .selectFrom('break_glass')
    .leftJoin('keys', 'keys.key_id', 'break_glass.key_id')
    .leftJoin('staff', 'staff.staff_id', 'break_glass.staff_id')
    .selectAll('break_glass')
    .select((row) => [
      'keys.label',
      'staff.name as staff_name',
      row.fn.coalesce('keys.role', 'staff.role', row.val('')).as('role'),
    ])
    .$if(grantId !== undefined, (grants) =>
      grants.where('grant_id', '=', (grantId ?? '').toLowerCase()),
    )
    .$if(teamId !== undefined, (grants) =>
      grants.where('break_glass.team_id', '=', (teamId ?? '').toLowerCase()),
    )
    .$if(unreviewed, (grants) => grants.where('reviewed_ms', 'is', null))
    .$if(after !== undefined, (grants) => {
      const place = db
        .selectFrom('break_glass')
        .select(['granted_ms', 'grant_id'])
        .where('grant_id', '=', (after ?? '').toLowerCase());
      const behind = sql.raw(unreviewed ? '>' : '<');
      return grants.where(sql<boolean>`(granted_ms, grant_id) ${behind} ${place}`);
    })
    .orderBy('granted_ms', unreviewed ? 'asc' : 'desc')
    .orderBy('grant_id', unreviewed ? 'asc' : 'desc')
    .$if(most !== undefined, (grants) => grants.limit(most ?? 0))
    .execute();
}

export function holderOf(
  actor: Actor,
): Pick<AccessSchema['break_glass'], 'key_id' | 'staff_id' | 'session_id'> {
  return 'keyId' in actor
    ? { key_id: actor.keyId, staff_id: null, session_id: null }
    : { key_id: null, staff_id: actor.staffId, session_id: actor.sessionId };
}

export type Holder = { readonly keyId: string } | { readonly sessionId: string };

export async function grantsInForce(
  db: Kysely<AccessSchema>,
  holder: Holder,
  nowMs: number,
): Promise<Pick<AccessSchema['break_glass'], 'user_id' | 'grant_id' | 'expires_ms'>[]> {
  return await db
    .selectFrom('break_glass')
    .select(['user_id', 'grant_id', 'expires_ms'])
    .where((where) =>
      'keyId' in holder
        ? where('key_id', '=', holder.keyId)
        : where('session_id', '=', holder.sessionId),
    )
    .where('expires_ms', '>', nowMs)
    .where('ended_ms', 'is', null)
    .where((where) => where.or([where('outcome', 'is', null), where('outcome', '!=', REVOKING)]))
    .execute();
}

export async function unreviewedGrants(db: Kysely<AccessSchema>, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('break_glass')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('reviewed_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Keys of a team with the same label count as one person, so that rotating a key changes nothing. */
export async function grantsOfPerson(
  db: Kysely<AccessSchema>,
  actor: Actor,
  sinceMs: number,
): Promise<number> {
  const query =
    'keyId' in actor
      ? db
          .selectFrom('break_glass')
          .innerJoin('keys', 'keys.key_id', 'break_glass.key_id')
          .innerJoin('keys as own', (join) =>
            join.onRef('own.team_id', '=', 'keys.team_id').onRef('own.label', '=', 'keys.label'),
          )
          .where('own.key_id', '=', actor.keyId)
      : db.selectFrom('break_glass').where('break_glass.staff_id', '=', actor.staffId);
  const { count } = await query
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('granted_ms', '>', sinceMs)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether two actors are one person: a person, or a key that belongs to them, or one key. */
export async function isSamePerson(
  db: Kysely<AccessSchema>,
  actor: Actor,
  grant: { readonly key_id: string | null; readonly staff_id: string | null },
): Promise<boolean> {
  if ('keyId' in actor && actor.keyId === grant.key_id) {
    return true;
  }
  const owner = async (keyId: string): Promise<string | undefined> =>
    (
      await db
        .selectFrom('key_owners')
        .select('staff_id')
        .where('key_id', '=', keyId)
        .executeTakeFirst()
    )?.staff_id;
  const one = 'keyId' in actor ? await owner(actor.keyId) : actor.staffId;
  const other = grant.key_id === null ? grant.staff_id : await owner(grant.key_id);
  return one !== undefined && one === other;
}
