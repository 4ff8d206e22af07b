import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import type { OrdersPage, OrdersQuery } from '../../health-data-source.ts';
import { peopleQueryOf } from '../../people/people-query.ts';
import { bornToken, partTokens, prefixTokens } from '../../people/person-tokens.ts';
import type { TokenQuery } from '../../people/search-tiers.ts';
import { wordsOf } from '../../people/name-text.ts';
import { uuidBytes, uuidText, type StoreSchema } from '../schema.ts';
import type { PeopleWith } from '../store-queries.ts';
import { pageStart, SORT_COLUMNS } from './order-ranks.ts';

type Where = ExpressionBuilder<StoreSchema, 'orders'>;

interface PageRequest {
  readonly team: Uint8Array;
  /** Lower case, as in tokens. */
  readonly teamTokens: string;
  readonly query: OrdersQuery;
}

/** With more people the orders are scanned instead. */
const MOST_PEOPLE = 500;

/** Reads the bodies of the page only; a page of all orders is found by its rank, as deep as it is. */
export async function ordersPage(
  db: Kysely<StoreSchema>,
  peopleWith: PeopleWith,
  request: PageRequest,
): Promise<OrdersPage> {
  const { team, query } = request;
  const tokens = nameTokens(request);
  const few = tokens !== undefined && (await areFew(peopleWith(db, team, tokens)));
  const filters = conditions(expressionBuilder<StoreSchema, 'orders'>(), query);
  const matching = db
    .selectFrom('orders')
    .where('orders.team_id', '=', team)
    .$if(few, (orders) =>
      orders.where(
        'orders.user_id',
        'in',
        peopleWith(db, team, tokens ?? []).select('people.user_id'),
      ),
    )
    .where((where) => where.and(filters));
  const counted = await (filters.length === 0
    ? db.selectFrom('order_totals').select('total').where('team_id', '=', team).executeTakeFirst()
    : matching
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow());
  const total = counted?.total ?? 0;
  const start = pageStart(query, total);
  if (start === undefined) {
    return { orders: [], userIds: [], total };
  }
  const { position, skip } =
    filters.length === 0 ? start : { position: undefined, skip: (query.page - 1) * query.size };
  const column = SORT_COLUMNS[query.key];
  const page = matching
    .select([...new Set([`orders.${column}`, 'orders.created_us', 'orders.order_id'] as const)])
    .$if(position !== undefined, (orders) => orders.where(fromRank(db, team, query, position ?? 0)))
    .orderBy(`orders.${column}`, query.direction)
    .$if(query.key !== 'created_at', (orders) =>
      orders.orderBy('orders.created_us', query.direction),
    )
    .orderBy('orders.order_id', query.direction)
    .limit(query.size)
    .offset(skip);
  const rows = await db
    .selectFrom(page.as('page'))
    .innerJoin('orders', 'orders.order_id', 'page.order_id')
    .where('orders.team_id', '=', team)
    .select(['orders.user_id', 'orders.body'])
    // By the page's own columns: by those of the orders, SQLite read all of them in that order.
    .orderBy(`page.${column}`, query.direction)
    .orderBy('page.created_us', query.direction)
    .orderBy('page.order_id', query.direction)
    .execute();
  return {
    orders: rows.map(({ body }) => body),
    userIds: rows.map(({ user_id: user }) => uuidText(user)),
    total,
  };
}

/** A row comparison with the rank is one seek in the index of the list. */
function fromRank(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  { key, direction }: OrdersQuery,
  position: number,
): RawBuilder<boolean> {
  const rank = db
    .selectFrom('order_ranks')
    .$if(key !== 'created_at', (ranks) => ranks.select('sort_key'))
    // A bare column is compared as a number of any kind, and SQLite then seeks the first column of the row alone.
    .select([sql<number>`created_us + 0`.as('created_us'), 'order_id'])
    .where('team_id', '=', team)
    .where('list', '=', key)
    .where('position', '=', position);
  const columns = [...new Set([SORT_COLUMNS[key], 'created_us', 'order_id'])];
  const row = sql.join(columns.map((column) => sql.ref(`orders.${column}`)));
  return direction === 'asc'
    ? sql<boolean>`(${row}) >= ${rank}`
    : sql<boolean>`(${row}) <= ${rank}`;
}

async function areFew(people: ReturnType<PeopleWith>): Promise<boolean> {
  const found = await people
    .select('people.user_id')
    .limit(MOST_PEOPLE + 1)
    .execute();
  return found.length <= MOST_PEOPLE;
}

function conditions(where: Where, query: OrdersQuery): Expression<SqlBool>[] {
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
    found.push(patientNamed(where, query.patientName));
  }
  const searched = searchedOf(query);
  if (searched?.uuid !== undefined) {
    const { uuid } = searched;
    found.push(where.or([byId(where, 'order_id', [uuid]), byId(where, 'user_id', [uuid])]));
  } else if (searched !== undefined) {
    const { dates, words } = searched;
    const born = dates.map((date) => sql<boolean>`orders.birth_dates like ${`%${date}%`}`);
    found.push(...(dates.length === 0 ? [] : [where.or(born)]));
    found.push(...(dates.length > 0 && words === '' ? [] : [patientNamed(where, words)]));
  }
  return found;
}

/** `in ()` is not SQL: matches no status. */
const none = ' ';

function byId(
  where: Where,
  column: 'user_id' | 'order_id',
  ids: readonly string[],
): Expression<SqlBool> {
  const known = ids.flatMap((id) => uuidBytes(id) ?? []);
  return known.length === 0 ? sql<boolean>`1 = 0` : where(`orders.${column}`, 'in', known);
}

interface Searched {
  readonly uuid?: string;
  readonly dates: readonly string[];
  readonly words: string;
}

/** Parses the search text: an id, or a birth date and words. */
function searchedOf({ searchInput: text }: OrdersQuery): Searched | undefined {
  if (text === undefined) {
    return undefined;
  }
  const read = peopleQueryOf(text);
  if ('reason' in read) {
    return { dates: [], words: text };
  }
  const { uuid, dates, words } = read;
  return uuid === undefined
    ? { dates, words: words.join(' ') }
    : { uuid: text, dates: [], words: '' };
}

/** Tokens of the names in the query, if any. */
function nameTokens({ teamTokens, query }: PageRequest): TokenQuery | undefined {
  const { dates = [], words = '' } = searchedOf(query) ?? {};
  const parts = [query.patientName ?? '', words].flatMap((text) => partsOf(text));
  const tokens = [
    ...(dates.length === 0 ? [] : [dates.map((date) => bornToken(teamTokens, date))]),
    ...parts.flatMap(({ word, hasParts }) =>
      (hasParts ? partTokens : prefixTokens)(teamTokens, word).map((token) => [token]),
    ),
  ];
  return tokens.length === 0 ? undefined : tokens;
}

/** Each word matches a part of a word, or its beginning if it is short. */
function patientNamed(where: Where, text: string): Expression<SqlBool> {
  const parts = partsOf(text);
  return parts.length === 0
    ? sql<boolean>`1 = 0`
    : where.and(
        parts.map(({ word, hasParts }) => {
          const pattern = hasParts ? `%${word}%` : `% ${word}%`;
          return sql<boolean>`orders.patient_key like ${pattern}`;
        }),
      );
}

/** `hasParts` is false for words too short for part tokens. */
function partsOf(text: string): { readonly word: string; readonly hasParts: boolean }[] {
  return wordsOf(text).map((word) => ({ word, hasParts: partTokens('', word).length > 0 }));
}
