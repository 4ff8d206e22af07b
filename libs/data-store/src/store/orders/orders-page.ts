import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import type { OrdersPage, OrdersQuery } from '../../health-data.ts';
import { parsePeopleQuery } from '../../people/people-query.ts';
import { matchWordPart, type TokenQuery } from '../../people/search-tokens.ts';
import { splitWords } from '../../people/name-text.ts';
import { parseUuid, formatUuid, type StoreSchema } from '../schema.ts';
import type { PeopleIndex } from '../people/people-index.ts';

type Where = ExpressionBuilder<StoreSchema, 'orders'>;

interface PageRequest {
  readonly team: Uint8Array;
  readonly query: OrdersQuery;
}

/** Primary sort columns of lists of orders. Ties are sorted by creation and ID. */
const SORT_COLUMNS = {
  created_at: 'created_us',
  patient_name: 'patient_key',
  last_status: 'low_level_status',
} as const satisfies Readonly<Record<OrdersQuery['key'], string>>;

/** If more people match, all orders of the team are filtered instead. */
const MOST_PEOPLE = 500;

type Matching = SelectQueryBuilder<StoreSchema, 'orders', object>;

/**
 * Returns a page and the total in one statement, so that both are consistent. Without filters, the stored total is
 * used.
 */
export async function readOrdersPage(
  db: Kysely<StoreSchema>,
  people: PeopleIndex,
  request: PageRequest,
): Promise<OrdersPage> {
  const { team, query } = request;
  const { key, direction, page: number, size } = query;
  const orders = await selectOrdersOfPeople(db, people, request);
  const column = SORT_COLUMNS[key];
  const conditions = buildConditions(query);
  const matching = conditions.reduce((some, condition) => some.where(condition), orders);
  const page = matching
    .select([...new Set([`orders.${column}`, 'orders.created_us', 'orders.order_id'] as const)])
    .orderBy(`orders.${column}`, direction)
    .$if(key !== 'created_at', (some) => some.orderBy('orders.created_us', direction))
    .orderBy('orders.order_id', direction)
    .limit(size)
    .offset((number - 1) * size);
  const storedTotal = db.selectFrom('order_totals').select('total').where('team_id', '=', team);
  const counted = matching.select((select) => select.fn.countAll<number>().as('total'));
  const rows = await db
    .selectNoFrom((select) =>
      select.fn.coalesce(conditions.length > 0 ? counted : storedTotal, sql<number>`0`).as('total'),
    )
    .$call((total) => db.selectFrom(total.as('counted')))
    .leftJoin(page.as('page'), (join) => join.onTrue())
    .leftJoin('orders', (join) =>
      join.on('orders.team_id', '=', team).onRef('orders.order_id', '=', 'page.order_id'),
    )
    .select(['counted.total', 'orders.user_id', 'orders.body'])
    .orderBy(`page.${column}`, direction)
    .orderBy('page.created_us', direction)
    .orderBy('page.order_id', direction)
    .execute();
  const found = rows.flatMap(({ user_id: user, body }) =>
    user === null || body === null ? [] : [{ user, body }],
  );
  return {
    body: `{"orders":[${found.map(({ body }) => body).join(',')}],"total":${rows[0]?.total ?? 0},"page":${number},"size":${size}}`,
    userIds: found.map(({ user }) => formatUuid(user)),
  };
}

/** Restricts the query to orders of people who match the name or birth date, if they are few. */
async function selectOrdersOfPeople(
  db: Kysely<StoreSchema>,
  people: PeopleIndex,
  request: PageRequest,
): Promise<Matching> {
  const { team } = request;
  const orders = db.selectFrom('orders').where('orders.team_id', '=', team);
  const tokens = listNameTokens(request);
  if (tokens === undefined) {
    return orders;
  }
  const matching = people.match(db, { team, tokens, labs: true, limit: MOST_PEOPLE + 1 });
  const found = await db
    .selectFrom('people')
    .innerJoin(matching.as('found'), 'found.number', 'people.number')
    .select('people.user_id')
    .where('people.team_id', '=', team)
    .execute();
  const ids = found.map(({ user_id }) => user_id);
  return ids.length > MOST_PEOPLE ? orders : restrictToUsers(orders, ids);
}

function restrictToUsers(orders: Matching, ids: readonly Uint8Array[]): Matching {
  return ids.length === 0
    ? orders.where(sql<boolean>`1 = 0`)
    : orders.where('orders.user_id', 'in', ids);
}

function buildConditions(query: OrdersQuery): Expression<SqlBool>[] {
  const where = expressionBuilder<StoreSchema, 'orders'>();
  const { createdFromUs, createdUntilUs, updatedFromUs, updatedUntilUs } = query;
  const { uuid, dates = [], words = '' } = readSearchInput(query) ?? {};
  const isSearched = query.searchInput !== undefined && uuid === undefined;
  const found = [
    query.userId !== undefined && matchesId(where, 'user_id', [query.userId]),
    query.orderIds !== undefined && matchesId(where, 'order_id', query.orderIds),
    createdFromUs !== undefined && where('orders.created_us', '>=', createdFromUs),
    createdUntilUs !== undefined && where('orders.created_us', '<=', createdUntilUs),
    updatedFromUs !== undefined && where('orders.updated_us', '>=', updatedFromUs),
    updatedUntilUs !== undefined && where('orders.updated_us', '<=', updatedUntilUs),
    query.statuses !== undefined &&
      where('orders.low_level_status', 'in', [...query.statuses, NO_STATUS]),
    query.interpretation !== undefined && where('orders.interpretation', '=', query.interpretation),
    query.patientName !== undefined && matchesPatientName(where, query.patientName),
    uuid !== undefined &&
      where.or([matchesId(where, 'order_id', [uuid]), matchesId(where, 'user_id', [uuid])]),
    dates.length > 0 &&
      where.or(dates.map((date) => sql<boolean>`orders.birth_dates like ${`%${date}%`}`)),
    isSearched && (dates.length === 0 || words !== '') && matchesPatientName(where, words),
  ];
  return found.filter((condition) => condition !== false);
}

/** `in ()` is invalid SQL, so use a value that matches no status. */
const NO_STATUS = ' ';

function matchesId(
  where: Where,
  column: 'user_id' | 'order_id',
  ids: readonly string[],
): Expression<SqlBool> {
  const keys = ids.flatMap((id) => parseUuid(id) ?? []);
  return keys.length === 0 ? sql<boolean>`1 = 0` : where(`orders.${column}`, 'in', keys);
}

interface SearchInput {
  readonly uuid?: string;
  readonly dates: readonly string[];
  readonly words: string;
}

function readSearchInput({ searchInput: text }: OrdersQuery): SearchInput | undefined {
  if (text === undefined) {
    return undefined;
  }
  const read = parsePeopleQuery(text);
  if ('reason' in read) {
    return { dates: [], words: text };
  }
  const { uuid, dates, words } = read;
  return uuid === undefined
    ? { dates, words: words.join(' ') }
    : { uuid: text, dates: [], words: '' };
}

function listNameTokens({ query }: PageRequest): TokenQuery | undefined {
  const { dates = [], words = '' } = readSearchInput(query) ?? {};
  const tokens = [
    ...(dates.length === 0 ? [] : [dates.map((date) => `@${date}`)]),
    ...[query.patientName ?? '', words].flatMap((text) => splitWords(text).map(matchWordPart)),
  ];
  return tokens.length === 0 ? undefined : tokens;
}

/** Each word must match a part of a word, or the beginning of a word if it is short. */
function matchesPatientName(where: Where, text: string): Expression<SqlBool> {
  const words = [...new Set(splitWords(text))];
  return words.length === 0
    ? sql<boolean>`1 = 0`
    : where.and(
        words.map((word) => {
          const pattern = matchWordPart(word).length > 1 ? `%${word}%` : `% ${word}%`;
          return sql<boolean>`orders.patient_key like ${pattern}`;
        }),
      );
}
