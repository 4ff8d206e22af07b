import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import type { OrdersPage, OrdersQuery } from '../../health-data-source.ts';
import { peopleQueryOf } from '../../people/people-query.ts';
import { bornToken, partTokens, prefixTokens } from '../../people/person-tokens.ts';
import type { TokenQuery } from '../../people/search-tiers.ts';
import { wordsOf } from '../../people/name-text.ts';
import { uuidBytes, uuidText, type StoreSchema } from '../schema.ts';
import type { PeopleWith } from '../store-queries.ts';
import { orderRankStep, SORT_COLUMNS } from './order-ranks.ts';

type Where = ExpressionBuilder<StoreSchema, 'orders'>;

interface PageRequest {
  readonly team: Uint8Array;
  readonly teamTokens: string;
  readonly query: OrdersQuery;
  /** Where a statement holds the thread: gives others their turn. */
  readonly pause: (() => Promise<void>) | undefined;
}

/** With more people the orders are scanned instead. */
const MOST_PEOPLE = 500;
/** Orders that a statement scans: about a millisecond. */
const SCANNED = 16 * orderRankStep;

type Matching = SelectQueryBuilder<StoreSchema, 'orders', object>;

/** Reads the bodies of the page only; a page of all orders is found by its rank, as deep as it is. */
export async function ordersPage(
  db: Kysely<StoreSchema>,
  peopleWith: PeopleWith,
  request: PageRequest,
): Promise<OrdersPage> {
  const { team, query, pause } = request;
  const orders = db.selectFrom('orders').where('orders.team_id', '=', team);
  const narrowed = await narrowedOrders(db, peopleWith, orders, request);
  const filters = conditions(expressionBuilder<StoreSchema, 'orders'>(), request, narrowed);
  if (filters.length === 0) {
    return await pageOfAll(db, orders, request);
  }
  const matching = (narrowed ?? orders).where((where) => where.and(filters));
  const scans = narrowed === undefined ? await scansOf(db, request) : [whole];
  const skip = (query.page - 1) * query.size;
  const rows: OrderRow[] = [];
  let total = 0;
  for (const scan of scans) {
    const scanned = scan(matching);
    const { count } = await scanned
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const limit = query.size - rows.length;
    if (limit > 0 && total + count > skip) {
      const place = { skip: Math.max(0, skip - total), limit };
      rows.push(...(await rowsOf(db, scanned, request, place)));
    }
    total += count;
    await pause?.();
  }
  return pageOf(rows, total);
}

async function pageOfAll(
  db: Kysely<StoreSchema>,
  orders: Matching,
  request: PageRequest,
): Promise<OrdersPage> {
  const { team, query } = request;
  const counted = await db
    .selectFrom('order_totals')
    .select('total')
    .where('team_id', '=', team)
    .executeTakeFirst();
  const total = counted?.total ?? 0;
  const offset = (query.page - 1) * query.size;
  if (offset >= total) {
    return pageOf([], total);
  }
  const part = offset < orderRankStep ? undefined : await partAt(db, team, query, offset);
  const page = part === undefined ? orders : orders.where(beyond(query, part));
  const skip = offset - (part?.before ?? 0);
  return pageOf(await rowsOf(db, page, request, { skip, limit: query.size }), total);
}

interface OrderRow {
  readonly user_id: Uint8Array;
  readonly body: string;
}

function pageOf(rows: readonly OrderRow[], total: number): OrdersPage {
  return {
    orders: rows.map(({ body }) => body),
    userIds: rows.map(({ user_id: user }) => uuidText(user)),
    total,
  };
}

async function rowsOf(
  db: Kysely<StoreSchema>,
  matching: Matching,
  { team, query: { key, direction } }: PageRequest,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<OrderRow[]> {
  const column = SORT_COLUMNS[key];
  const page = matching
    .select([...new Set([`orders.${column}`, 'orders.created_us', 'orders.order_id'] as const)])
    .orderBy(`orders.${column}`, direction)
    .$if(key !== 'created_at', (orders) => orders.orderBy('orders.created_us', direction))
    .orderBy('orders.order_id', direction)
    .limit(limit)
    .offset(skip);
  return await db
    .selectFrom(page.as('page'))
    // In this order: SQLite may read all orders of the team first.
    .crossJoin('orders')
    .where('orders.team_id', '=', team)
    .whereRef('orders.order_id', '=', 'page.order_id')
    .select(['orders.user_id', 'orders.body'])
    // By the page's own columns: by those of the orders, SQLite read all of them in that order.
    .orderBy(`page.${column}`, direction)
    .orderBy('page.created_us', direction)
    .orderBy('page.order_id', direction)
    .execute();
}

type Scan = (matching: Matching) => Matching;

const whole: Scan = (matching) => matching;

/** Bounds are read once, so that each order is in one part, also where an import makes the ranks anew meanwhile. */
async function scansOf(
  db: Kysely<StoreSchema>,
  { team, query: { key, direction } }: PageRequest,
): Promise<Scan[]> {
  const parts = await partsOfList(db, team, { key, direction: 'asc' }).orderBy('before').execute();
  let scanned = 0;
  const bounds = parts.filter(({ before }) => {
    const isBound = before >= scanned + SCANNED;
    scanned = isBound ? before : scanned;
    return isBound;
  });
  const row = rowOfList(key);
  const values = bounds.map((bound) => valuesOf(key, bound));
  const scans = [undefined, ...values].map((from, at): Scan => {
    const until = values[at];
    return (matching) =>
      matching
        .$if(from !== undefined, (some) => some.where(sql<boolean>`(${row}) >= (${from})`))
        .$if(until !== undefined, (some) => some.where(sql<boolean>`(${row}) < (${until})`));
  });
  return direction === 'asc' ? scans : scans.reverse();
}

function rowOfList(key: OrdersQuery['key']): RawBuilder<unknown> {
  const columns = [...new Set([SORT_COLUMNS[key], 'created_us', 'order_id'])];
  return sql.join(columns.map((column) => sql.ref(`orders.${column}`)));
}

type List = Pick<OrdersQuery, 'key' | 'direction'>;

interface Part extends Omit<StoreSchema['order_ranks'], 'team_id' | 'list' | 'orders'> {
  /** Orders of the list before the part; where it descends, with those of the part. */
  readonly before: number;
}

function partsOfList(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  { key, direction }: List,
): SelectQueryBuilder<StoreSchema, 'order_ranks', Part> {
  const columns = ['sort_key', 'created_us', 'order_id'] as const;
  const order = columns.map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`);
  const through = sql<number>`sum(orders) over (order by ${sql.join(order)})`;
  const before = direction === 'asc' ? sql`${through} - orders` : through;
  return db
    .selectFrom('order_ranks')
    .select([...columns, sql<number>`cast(${before} as bigint)`.as('before')])
    .where('team_id', '=', team)
    .where('list', '=', key);
}

/** Undefined: before the first. */
async function partAt(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  list: List,
  offset: number,
): Promise<Part | undefined> {
  return await db
    .selectFrom(partsOfList(db, team, list).as('parts'))
    .selectAll()
    .where('before', '<=', offset)
    .orderBy('before', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A row comparison is one seek in the index of the list. */
function beyond({ key, direction }: List, part: Part): RawBuilder<boolean> {
  const [row, bound] = [rowOfList(key), valuesOf(key, part)];
  return direction === 'asc'
    ? sql<boolean>`(${row}) >= (${bound})`
    : sql<boolean>`(${row}) < (${bound})`;
}

function valuesOf(key: OrdersQuery['key'], part: Part): RawBuilder<unknown> {
  const { sort_key, created_us, order_id } = part;
  return sql.join([...(key === 'created_at' ? [] : [sort_key]), created_us, order_id]);
}

/** The orders of the few people whom the query names; undefined if they are too many for one statement. */
async function narrowedOrders(
  db: Kysely<StoreSchema>,
  peopleWith: PeopleWith,
  orders: Matching,
  request: PageRequest,
): Promise<Matching | undefined> {
  const { team, query, pause } = request;
  const { userId, orderIds } = query;
  const tokens = nameTokens(request);
  const few = tokens !== undefined && (await areFew(peopleWith(db, team, tokens)));
  const people = peopleWith(db, team, tokens ?? []).select('people.user_id');
  if (pause === undefined) {
    return few ? orders.where('orders.user_id', 'in', people) : orders;
  }
  if (orderIds !== undefined) {
    return orders;
  }
  if (!few && userId === undefined) {
    return undefined;
  }
  // In this order and by number: SQLite would rather read all orders of the team for each of these.
  const rowid = sql<number>`orders.rowid`.as('number');
  const ofPeople = db
    .selectFrom(people.as('few'))
    .crossJoin('orders')
    .where('orders.team_id', '=', team)
    .whereRef('orders.user_id', '=', 'few.user_id')
    .select(rowid);
  const ofUser = orders.where((where) => byId(where, 'user_id', [userId ?? ''])).select(rowid);
  const ids = (few ? ofPeople : ofUser).limit(SCANNED + 1);
  return (await ids.execute()).length > SCANNED
    ? undefined
    : db
        .selectFrom(ids.as('few'))
        .crossJoin('orders')
        .where('orders.team_id', '=', team)
        .where(sql<boolean>`orders.rowid = few.number`);
}

async function areFew(people: ReturnType<PeopleWith>): Promise<boolean> {
  const found = await people
    .select('people.user_id')
    .limit(MOST_PEOPLE + 1)
    .execute();
  return found.length <= MOST_PEOPLE;
}

function conditions(
  where: Where,
  { query }: PageRequest,
  narrowed: Matching | undefined,
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
  if (query.userId !== undefined) {
    const ofUser = byId(where, 'user_id', [query.userId]);
    // With a sign it is looked for in the part of the list, not the part among all orders of the user.
    found.push(narrowed === undefined ? sql<boolean>`+(${ofUser})` : ofUser);
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

function partsOf(text: string): { readonly word: string; readonly hasParts: boolean }[] {
  return [...new Set(wordsOf(text))].map((word) => ({
    word,
    hasParts: partTokens('', word).length > 0,
  }));
}
