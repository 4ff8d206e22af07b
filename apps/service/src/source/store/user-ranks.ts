import type { ImportDatabase } from './import-database.ts';

/** A page needs one seek and a scan of fewer index entries. */
export const rankStep = 256;

export interface UserKey {
  readonly createdUs: number;
  readonly userId: Uint8Array;
}

export function isBefore(a: UserKey, b: UserKey): boolean {
  return a.createdUs === b.createdUs
    ? Buffer.compare(a.userId, b.userId) < 0
    : a.createdUs < b.createdUs;
}

/** Rebuilds `user_ranks` of a team, in the transaction that changed users. @param first the smallest old or new key */
export async function rebuildRanks(
  db: Pick<ImportDatabase, 'run'>,
  team: Uint8Array,
  first: UserKey,
): Promise<void> {
  await db.run('delete from user_ranks where team_id = $1 and (created_us, user_id) >= ($2, $3)', [
    team,
    first.createdUs,
    first.userId,
  ]);
  await db.run(
    `with last as (
        select position, created_us, user_id from user_ranks
          where team_id = $1 order by position desc limit 1
      )
      insert into user_ranks (team_id, position, created_us, user_id)
        select $1, coalesce((select position from last), 0) + steps, created_us, user_id from (
          select created_us, user_id,
            row_number() over (order by created_us, user_id) - 1 as steps
          from users
          where team_id = $1 and (created_us, user_id) >= (
            coalesce((select created_us from last), $2),
            coalesce((select user_id from last), $3)
          )
        ) as place where steps > 0 and steps % ${rankStep} = 0`,
    [team, -(2 ** 53), Buffer.alloc(0)],
  );
}
