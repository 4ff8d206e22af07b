import type pg from 'pg';
import type { Issue } from '@caregate/domain/validate';
import type { Counts } from '../import/import-types.ts';
import { takenClientUserId } from '../import/record-writer.ts';
import { rankStep } from '../user-ranks.ts';
import { merge, merges, refuseLine } from './merge.ts';

/**
 * Merges the users of `in_users` into the store and updates total and ranks. Users with a potential conflict over a
 * `client_user_id`, in this file or with the store, are merged line by line, all others in bulk.
 */
export async function mergeUsers(client: pg.ClientBase, counts: Counts): Promise<void> {
  const touched = await firstTouched(client);
  await client.query(contended);
  await mergeContended(client, counts);
  await client.query(
    'delete from in_users s using contended c where c.team_id = s.team_id and c.user_id = s.user_id',
  );
  await client.query(`
    insert into new_users (team_id, user_id, n)
      select s.team_id, s.user_id, min(s.n) from in_users s
        where not exists (
          select from store.users u where u.team_id = s.team_id and u.user_id = s.user_id
        )
        group by s.team_id, s.user_id;
    analyze new_users`);
  const before = counts.added + counts.updated;
  await merge(client, merges.user, counts);
  await client.query(`
    insert into store.user_totals (team_id, total)
      select team_id, count(*) from new_users group by team_id
      on conflict (team_id) do update set total = user_totals.total + excluded.total`);
  if (before > 0 || counts.added + counts.updated > before) {
    for (const first of touched) {
      await rebuildRanks(client, first);
    }
  }
}

interface Touched {
  team_id: Buffer;
  created_us: number;
  user_id: Buffer;
}

/** First list position of each team that may change. */
async function firstTouched(client: pg.ClientBase): Promise<Touched[]> {
  const { rows } = await client.query<Touched>(`
    select distinct on (team_id) team_id, created_us, user_id from (
      select team_id, created_us, user_id from in_users
      union all
      select u.team_id, u.created_us, u.user_id from store.users u
        join (select distinct team_id, user_id from in_users) s using (team_id, user_id)
    ) as place order by team_id, created_us, user_id`);
  return rows;
}

/** Users whose `client_user_id` another user has, had or will have, in the file or the store. */
const contended = `
  create temporary table contended on commit drop as
    with names as (
      select team_id, client_user_id, user_id from in_users
      union
      select u.team_id, u.client_user_id, u.user_id from store.users u
        join (select distinct team_id, user_id from in_users) s using (team_id, user_id)
      union
      select u.team_id, u.client_user_id, u.user_id from store.users u
        join (select distinct team_id, client_user_id from in_users) s
        using (team_id, client_user_id)
    ), shared as (
      select team_id, client_user_id from names group by team_id, client_user_id having count(*) > 1
    )
    select distinct team_id, user_id from names join shared using (team_id, client_user_id)`;

interface UserRow {
  n: number;
  team_id: Buffer;
  user_id: Buffer;
  client_user_id: string;
  created_us: number;
  body: string;
}

async function mergeContended(client: pg.ClientBase, counts: Counts): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await client.query<UserRow>(
      `select s.* from in_users s join contended c using (team_id, user_id)
        where n > $1 order by n limit 1000`,
      [last],
    );
    for (const row of rows) {
      const refused = await mergeOne(client, row, counts);
      if (refused !== undefined) {
        await refuseLine(client, row.n, refused);
      }
    }
    const end = rows.at(-1);
    if (end === undefined) {
      return;
    }
    last = end.n;
  }
}

async function mergeOne(
  client: pg.ClientBase,
  { n, team_id, user_id, client_user_id, created_us, body }: UserRow,
  counts: Counts,
): Promise<Issue | undefined> {
  const { rows } = await client.query<{ body: string | null; taken: boolean }>(
    `select (select body from store.users where team_id = $1 and user_id = $2) as body,
      exists (select from store.users
        where team_id = $1 and client_user_id = $3 and user_id <> $2) as taken`,
    [team_id, user_id, client_user_id],
  );
  const { body: before, taken } = rows[0] ?? { body: null, taken: false };
  if (before === body) {
    counts.unchanged += 1;
    return undefined;
  }
  if (taken) {
    return takenClientUserId;
  }
  const values = [team_id, user_id, client_user_id, created_us, body];
  if (before === null) {
    await client.query('insert into store.users values ($1, $2, $3, $4, $5)', values);
    await client.query('insert into new_users values ($1, $2, $3)', [team_id, user_id, n]);
    counts.added += 1;
  } else {
    await client.query(
      `update store.users set client_user_id = $3, created_us = $4, body = $5
        where team_id = $1 and user_id = $2`,
      values,
    );
    counts.updated += 1;
  }
  return undefined;
}

/** Rebuilds `user_ranks` of a team from the first changed position on. */
async function rebuildRanks(
  client: pg.ClientBase,
  { team_id, created_us, user_id }: Touched,
): Promise<void> {
  await client.query(
    'delete from store.user_ranks where team_id = $1 and (created_us, user_id) >= ($2, $3)',
    [team_id, created_us, user_id],
  );
  await client.query(
    `with last as (
        select position, created_us, user_id from store.user_ranks
          where team_id = $1 order by position desc limit 1
      )
      insert into store.user_ranks (team_id, position, created_us, user_id)
        select $1, coalesce((select position from last), 0) + steps, created_us, user_id from (
          select created_us, user_id,
            row_number() over (order by created_us, user_id) - 1 as steps
          from store.users
          where team_id = $1 and (created_us, user_id) >= (
            coalesce((select created_us from last), $2::bigint),
            coalesce((select user_id from last), $3::bytea)
          )
        ) as place where steps > 0 and steps % ${rankStep} = 0`,
    [team_id, -(2 ** 53), Buffer.alloc(0)],
  );
}
