import { sql, type ExpressionBuilder, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { OrdersPage, OrdersQuery } from '../../health-data-source.ts';
import { peopleQueryOf } from '../../people/people-query.ts';
import { bornToken, partTokens, prefixTokens } from '../../people/person-tokens.ts';
import type { TokenQuery } from '../../people/search-tiers.ts';
import { wordsOf } from '../../people/name-text.ts';
import { uuidBytes, uuidText, type StoreSchema } from '../schema.ts';
import type { PeopleWith } from '../store-queries.ts';

type Where = ExpressionBuilder<StoreSchema, 'orders'>;

interface Asked {
  readonly team: Uint8Array;
  /** The team's id in lower case, as tokens have it. */
  readonly teamTokens: string;
  readonly query: OrdersQuery;
}

const columns = {
  created_at: 'orders.created_us',
  patient_name: 'orders.patient_key',
  last_status: 'orders.low_level_status',
} as const;

/** A page of the orders of a team: people are found by the index of people, so that no list of orders is read through. */
export async function ordersPage(
  db: Kysely<StoreSchema>,
  peopleWith: PeopleWith,
  asked: Asked,
): Promise<OrdersPage> {
  const { team, query } = asked;
  const matching = db
    .selectFrom('orders')
    .where('orders.team_id', '=', team)
    .where((where) => where.and(conditions(where, db, peopleWith, asked)));
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select(['orders.user_id', 'orders.body'])
    .orderBy(columns[query.key], query.direction)
    .orderBy('orders.created_us', query.direction)
    .orderBy('orders.order_id', query.direction)
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return {
    orders: rows.map(({ body }) => body),
    userIds: rows.map(({ user_id: user }) => uuidText(user)),
    total,
  };
}

function conditions(
  where: Where,
  db: Kysely<StoreSchema>,
  peopleWith: PeopleWith,
  { team, teamTokens, query }: Asked,
): Expression<SqlBool>[] {
  const found: Expression<SqlBool>[] = [];
  const between = (
    column: 'created_us' | 'updated_us',
    from: number | undefined,
    until: number | undefined,
  ): void => {
    if (from !== undefined) {
      found.push(where(`orders.${column}`, '>=', from));
    }
    if (until !== undefined) {
      found.push(where(`orders.${column}`, '<=', until));
    }
  };
  const of: OfPeople = (tokens) =>
    where('orders.user_id', 'in', peopleWith(db, team, tokens).select('people.user_id'));
  if (query.userId !== undefined) {
    found.push(byId(where, 'user_id', [query.userId]));
  }
  if (query.orderIds !== undefined) {
    found.push(byId(where, 'order_id', query.orderIds));
  }
  between('created_us', query.createdFromUs, query.createdUntilUs);
  between('updated_us', query.updatedFromUs, query.updatedUntilUs);
  if (query.statuses !== undefined) {
    found.push(where('orders.low_level_status', 'in', [...query.statuses, none]));
  }
  if (query.interpretation !== undefined) {
    found.push(where('orders.interpretation', '=', query.interpretation));
  }
  if (query.patientName !== undefined) {
    found.push(patientNamed(where, of, teamTokens, query.patientName));
  }
  if (query.searchInput !== undefined) {
    found.push(searched(where, of, teamTokens, query.searchInput));
  }
  return found;
}

/** A list is never empty in SQL; no status is this. */
const none = ' ';

function byId(
  where: Where,
  column: 'user_id' | 'order_id',
  ids: readonly string[],
): Expression<SqlBool> {
  const known = ids.flatMap((id) => uuidBytes(id) ?? []);
  return known.length === 0 ? sql<boolean>`1 = 0` : where(`orders.${column}`, 'in', known);
}

/** The condition that an order is of somebody who has one token of each list: no list of orders is read through. */
type OfPeople = (tokens: TokenQuery) => Expression<SqlBool>;

function searched(
  where: Where,
  of: OfPeople,
  teamTokens: string,
  text: string,
): Expression<SqlBool> {
  const read = peopleQueryOf(text);
  if (!('reason' in read) && read.uuid !== undefined) {
    return where.or([byId(where, 'order_id', [text]), byId(where, 'user_id', [text])]);
  }
  const dates = 'reason' in read ? [] : read.dates;
  const words = 'reason' in read ? text : read.words.join(' ');
  if (dates.length === 0) {
    return patientNamed(where, of, teamTokens, words);
  }
  const born = dates.map((date) => sql<boolean>`orders.birth_dates like ${`%${date}%`}`);
  return where.and([
    of([dates.map((date) => bornToken(teamTokens, date))]),
    where.or(born),
    ...(words === '' ? [] : [patientNamed(where, of, teamTokens, words)]),
  ]);
}

/** Every word must be a part of one of the patient's words, or its beginning if it is short. */
function patientNamed(
  where: Where,
  of: OfPeople,
  teamTokens: string,
  text: string,
): Expression<SqlBool> {
  const words = wordsOf(text);
  if (words.length === 0) {
    return sql<boolean>`1 = 0`;
  }
  const parts = words.map((word) => ({ word, tokens: partTokens(teamTokens, word) }));
  const tokens = parts.flatMap(({ word, tokens: own }) =>
    (own.length === 0 ? prefixTokens(teamTokens, word) : own).map((token) => [token]),
  );
  return where.and([
    of(tokens),
    ...parts.map(({ word, tokens: own }) => {
      const pattern = own.length === 0 ? `% ${word}%` : `%${word}%`;
      return sql<boolean>`orders.patient_key like ${pattern}`;
    }),
  ]);
}
