import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { storeSchema, type StoreSchema } from '../schema.ts';
import { SqlStore } from '../sql-store.ts';
import type { PeopleBehind, PeopleWith } from '../people/people-queries.ts';
import {
  preparedPool,
  retryingPool,
  type SampledTraceId,
} from '../../database/postgres/prepared-pool.ts';

/** Beyond it the planner expects so many people that it would read the whole table. */
const mostAlternatives = 8;

/** One condition for all single tokens: the index intersects the lists. Each token of a long list is looked up by itself. */
const peopleWith: PeopleWith = (db, team, tokens) => {
  const long = tokens.find((list) => list.length > mostAlternatives);
  const single = tokens.flatMap((list) => (list.length === 1 ? list : []));
  const several = tokens.filter((list) => list.length > 1 && list !== long);
  const conditions = [
    ...(long === undefined ? [] : [sql`people.tokens @> array[near.token]`]),
    ...(single.length === 0 ? [] : [sql`people.tokens @> ${arrayText(single)}::integer[]`]),
    ...several.map((list) => sql`people.tokens && ${arrayText(list)}::integer[]`),
  ];
  const people = db
    .selectFrom('people')
    .where('people.team_id', '=', team)
    .where(sql<boolean>`(${sql.join(conditions, sql` and `)})`);
  return long === undefined
    ? people
    : db
        .selectFrom(sql`unnest(${arrayText(long)}::integer[])`.as(sql`near(token)`))
        // `offset 0` keeps the look-ups from being planned as one pass.
        .innerJoinLateral(people.selectAll().offset(0).as('people'), (join) => join.onTrue());
};

/** People that are looked through in the order of their ids before all who have the tokens are. */
const NEXT_PEOPLE = 1000;

/** Of many who have the tokens, the next are near; of few, the planner would read the whole team by the key. */
const peopleBehind: PeopleBehind = async (db, { team, tokens, after, limit }) => {
  const behind = sql<boolean>`people.user_id > decode(${after ?? ''}, 'hex')`;
  const place = sql<string>`encode(people.user_id, 'hex')`.as('place');
  const have = tokens.map((list) => sql`people.tokens && ${arrayText(list)}::integer[]`);
  const next = db
    .selectFrom('people')
    .select(['people.team_id', 'people.user_id', 'people.facts', sql`people.tokens`.as('tokens')])
    .where('people.team_id', '=', team)
    .where(behind)
    .orderBy('people.user_id')
    .limit(NEXT_PEOPLE);
  const near = await db
    .selectFrom(next.as('people'))
    .select(['people.facts', place])
    .where(sql<boolean>`(${sql.join(have, sql` and `)})`)
    .orderBy('people.user_id')
    .limit(limit)
    .execute();
  if (near.length === limit) {
    return near;
  }
  const all = peopleWith(db, team, tokens).select([
    'people.team_id',
    'people.user_id',
    'people.facts',
  ]);
  return await db
    .selectFrom(all.offset(0).as('people'))
    .select(['people.facts', place])
    .where(behind)
    .orderBy('people.user_id')
    .limit(limit)
    .execute();
};

function arrayText(tokens: readonly number[]): string {
  return `{${tokens.join(',')}}`;
}

export function postgresStore(pool: pg.Pool, traceId?: SampledTraceId): SqlStore {
  const dialect = new PostgresDialect({ pool: preparedPool(pool, traceId) });
  const db = new Kysely<StoreSchema>({ dialect }).withSchema(storeSchema);
  const adHoc = new Kysely<StoreSchema>({
    dialect: new PostgresDialect({ pool: retryingPool(pool, traceId) }),
  });
  return new SqlStore({
    ...{
      db,
      adHoc: adHoc.withSchema(storeSchema),
      peopleWith,
      peopleBehind,
    },
    close: async () => {
      if (!pool.ending) {
        await pool.end();
      }
    },
  });
}
