import type pg from 'pg';
import type { Issue } from '@caregate/domain/validate';
import type { Counts } from '../import/import-types.ts';
import { takenOrder, takenOrderId, unknownUser } from '../import/record-writer.ts';

interface Merge {
  readonly from: string;
  readonly into: string;
  readonly key: readonly string[];
  readonly rest: readonly string[];
  /** The order of the records. */
  readonly order: string;
}

const team = 'team_id';
export const merges = {
  user: {
    from: 'in_users',
    into: 'store.users',
    key: [team, 'user_id'],
    rest: ['client_user_id', 'created_us', 'body'],
    order: 'n',
  },
  user_info: {
    from: 'in_user_infos',
    into: 'store.user_infos',
    key: [team, 'user_id', 'recorded_us'],
    rest: ['body'],
    order: 'n',
  },
  order: {
    from: 'in_orders',
    into: 'store.imported_orders',
    key: [team, 'order_id'],
    rest: ['user_id', 'body'],
    order: 'n',
  },
  lab_result: {
    from: 'in_lab_results',
    into: 'store.lab_results',
    key: [team, 'order_id'],
    rest: ['user_id', 'body'],
    order: 'n',
  },
  insurance: {
    from: 'in_insurances',
    into: 'store.insurances',
    key: [team, 'user_id', 'is_primary', 'recorded_us'],
    rest: ['body'],
    order: 'n',
  },
  mindfulness_minutes: {
    from: 'in_points',
    into: 'store.mindfulness_minutes',
    key: [team, 'user_id', 'start_us', 'provider', 'type', 'end_us'],
    rest: ['body'],
    order: 'n, i',
  },
} as const satisfies Record<string, Merge>;

export async function prepareMerge(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set local work_mem = '64MB';
    create temporary table refused (n bigint, path text, message text) on commit drop;
    create temporary table new_users (team_id bytea, user_id bytea, n bigint) on commit drop`);
}

/**
 * Merges the records of a temporary table, with the same result as one after the other: new keys are inserted, existing
 * ones with a different body are updated.
 */
export async function merge(
  client: pg.ClientBase,
  { from, into, key, rest, order }: Merge,
  counts: Counts,
): Promise<void> {
  const columns = [...key, ...rest].join(', ');
  const keys = key.join(', ');
  const added = await count(
    client,
    `insert into ${into} (${columns}) select ${columns} from ${from}
      on conflict (${keys}) do nothing`,
  );
  const { rows } = await client.query<{ all: number }>(`select count(*) as all from ${from}`);
  const all = rows[0]?.all ?? 0;
  const updated = added < all ? await update(client, { from, into, key, rest, order }) : 0;
  counts.added += added;
  counts.updated += updated;
  counts.unchanged += all - added - updated;
}

/** If a key occurs several times, there is one round for the first occurrences, one for the second, and so on. */
async function update(
  client: pg.ClientBase,
  { from, into, key, rest, order }: Merge,
): Promise<number> {
  const keys = key.join(', ');
  await client.query(`
    drop table if exists rounds;
    create temporary table rounds on commit drop as
      select ${[...key, ...rest].join(', ')},
        row_number() over (partition by ${keys} order by ${order}) as round
      from ${from};
    analyze rounds`);
  const { rows } = await client.query<{ last: number }>('select max(round) as last from rounds');
  const last = rows[0]?.last ?? 0;
  if (last > 3) {
    await client.query('create index on rounds (round)');
  }
  const hasVersions = into === merges.lab_result.into;
  if (hasVersions) {
    await client.query(countVersions);
  }
  let updated = 0;
  for (let round = 1; round <= last; round += 1) {
    if (hasVersions) {
      await client.query(keepVersions, [round]);
    }
    updated += await count(
      client,
      `update ${into} t set ${rest.map((name) => `${name} = s.${name}`).join(', ')}
        from rounds s
        where s.round = ${round} and ${key.map((name) => `t.${name} = s.${name}`).join(' and ')}
          and t.body <> s.body`,
    );
  }
  if (hasVersions) {
    await client.query(forgetDetours);
  }
  return updated;
}

const countVersions = `
  drop table if exists versions_before;
  create temporary table versions_before on commit drop as
    select r.team_id, r.order_id, count(v.version) as versions
      from (select distinct team_id, order_id from rounds) r
      left join store.lab_result_versions v using (team_id, order_id)
      group by r.team_id, r.order_id`;

/** Importing a file again must not add versions. */
const forgetDetours = `
  delete from store.lab_result_versions v
    using versions_before b
      join store.lab_results r using (team_id, order_id)
      join store.lab_result_versions f using (team_id, order_id)
    where v.team_id = b.team_id and v.order_id = b.order_id and v.version > b.versions
      and f.version = b.versions + 1 and f.body = r.body`;

const keepVersions = `
  insert into store.lab_result_versions (team_id, order_id, version, replaced_us, body)
    select t.team_id, t.order_id,
      (select count(*) + 1 from store.lab_result_versions v
        where v.team_id = t.team_id and v.order_id = t.order_id),
      (extract(epoch from clock_timestamp()) * 1e6)::bigint, t.body
    from store.lab_results t join rounds s using (team_id, order_id)
    where s.round = $1 and t.body <> s.body`;

export async function mergeSources(client: pg.ClientBase): Promise<void> {
  // Avoids sorting: few keys, many lines.
  await client.query(`
    insert into store.mindfulness_sources (team_id, user_id, provider, type, body)
      select s.team_id, s.user_id, s.provider, s.type, s.body from in_minutes s
        join (select max(n) as n from in_minutes group by team_id, user_id, provider, type) last
        using (n)
      on conflict (team_id, user_id, provider, type)
      do update set body = excluded.body where mindfulness_sources.body <> excluded.body`);
}

/** Refuses lines whose user is unknown, or is only created on a later line. */
export async function refuseUnknownUsers(
  client: pg.ClientBase,
  from: string,
  issue = unknownUser,
): Promise<void> {
  await refuse(
    client,
    issue,
    `select s.n from ${from} s
      left join store.users u on u.team_id = s.team_id and u.user_id = s.user_id
      left join new_users c on c.team_id = s.team_id and c.user_id = s.user_id
      where u.user_id is null or c.n > s.n`,
  );
  await removeRefused(client, from);
}

/** Refuses orders and lab results of an order that belongs to another user, in the store or on an earlier line. */
export async function refuseTakenOrders(client: pg.ClientBase): Promise<void> {
  for (const [from, issue] of [
    ['in_orders', takenOrderId],
    ['in_lab_results', takenOrder],
  ] as const) {
    await refuse(
      client,
      issue,
      `select n from (
        select s.n, s.kind, s.user_id, coalesce(t.user_id, first_value(s.user_id)
            over (partition by s.team_id, s.order_id order by s.n)) as owner
          from (
            select n, team_id, order_id, user_id, 'in_orders' as kind from in_orders
            union all
            select n, team_id, order_id, user_id, 'in_lab_results' from in_lab_results
          ) s
          left join store.orders t on t.team_id = s.team_id and t.order_id = s.order_id
        ) as each where user_id <> owner and kind = '${from}'`,
    );
  }
  await removeRefused(client, 'in_orders');
  await removeRefused(client, 'in_lab_results');
}

export async function removeRefused(client: pg.ClientBase, from: string): Promise<void> {
  await client.query(`delete from ${from} s using refused r where r.n = s.n`);
}

/** @param lines a query with one column, `n` */
async function refuse(client: pg.ClientBase, issue: Issue, lines: string): Promise<void> {
  const { path, message } = issue;
  await client.query(`insert into refused (n, path, message) select n, $1, $2 from (${lines}) l`, [
    path.join('.'),
    message,
  ]);
}

export async function refuseLine(client: pg.ClientBase, n: number, issue: Issue): Promise<void> {
  await client.query('insert into refused (n, path, message) values ($1, $2, $3)', [
    ...[n, issue.path.join('.'), issue.message],
  ]);
}

async function count(client: pg.ClientBase, statement: string): Promise<number> {
  return (await client.query(statement)).rowCount ?? 0;
}
