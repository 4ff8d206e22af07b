import {
  HealthDataApiError,
  NotFoundError,
  type HealthDataClient,
  type OrderList,
} from '@caregate/api-client';
import type { Order } from '@caregate/domain';
import type { SourceCall } from '../health-data-source.ts';
import type {
  OrdersPage,
  OrdersQuery,
  PeopleResult,
  PeopleSearchQuery,
  StoredHistory,
} from '../health-data.ts';
import { SourceError } from '../source-error.ts';
import { sortFacts, toOrderFacts, type PersonFacts } from '../people/person-facts.ts';
import { searchAmong } from '../people/search-people.ts';
import { callUpstream, formatInstant, createMismatchError } from './ask-upstream.ts';

const MOST_SEARCHED = 100;
/** Maximum number of other results, each of which takes a request. */
const MOST_OTHERS = 12;

const newestFirst = { orderKey: 'created_at', orderDirection: 'desc' } as const;

export async function readOrders(
  client: HealthDataClient,
  query: OrdersQuery,
  call: SourceCall | undefined,
): Promise<OrdersPage> {
  const { page, size, userId, patientName, searchInput, interpretation, orderIds } = query;
  const formatOptionalInstant = (us: number | undefined): string | undefined =>
    us === undefined ? undefined : formatInstant(us);
  const { data, text } = await listOrders(client, call, {
    ...{ userId, patientName, searchInput, interpretation, orderIds, page, size },
    startDate: formatOptionalInstant(query.createdFromUs),
    endDate: formatOptionalInstant(query.createdUntilUs),
    updatedStartDate: formatOptionalInstant(query.updatedFromUs),
    updatedEndDate: formatOptionalInstant(query.updatedUntilUs),
    status: query.statuses,
    orderKey: query.key,
    orderDirection: query.direction,
  });
  requireRequested(data, query);
  return { body: text, userIds: data.orders.map((order) => order.user_id.toLowerCase()) };
}

/** Finds people in the newest orders that match the search. */
export async function searchOrders(
  client: HealthDataClient,
  { query, limit, labs }: PeopleSearchQuery,
  call: SourceCall | undefined,
): Promise<PeopleResult> {
  // Orders must not reveal people to callers who can't see labs.
  if (!labs) {
    throw new SourceError('forbidden');
  }
  const [longest = ''] = query.words.toSorted((one, other) => other.length - one.length);
  const text = query.words.length === 0 ? (query.uuid ?? query.dates[0] ?? query.text) : longest;
  const inputs = [text, ...query.dates.slice(1)];
  const found: Order[] = [];
  let more = false;
  for (const searchInput of query.words.length > 0 ? [text] : inputs) {
    const page = { ...newestFirst, searchInput, size: MOST_SEARCHED };
    const { data } = await listOrders(client, call, page);
    more ||= (data.total ?? 0) > data.orders.length;
    found.push(...data.orders);
  }
  const searched = await searchAmong(collectPeople(found), query, limit);
  return { ...searched, more: more || searched.more, searched: 'orders' };
}

export async function readHistory(
  client: HealthDataClient,
  orderId: string,
  call: SourceCall | undefined,
): Promise<StoredHistory | undefined> {
  const readResult = async (id: string): Promise<string | undefined> => {
    const answer = await callUpstream(call, (options) => client.orders.result(id, options));
    return answer instanceof NotFoundError ? undefined : answer.text;
  };
  const own = await readResult(orderId);
  if (own === undefined) {
    return undefined;
  }
  const { data: ownPage } = await listOrders(client, call, { orderIds: [orderId], size: 1 });
  const order = ownPage.orders.find(({ id }) => id.toLowerCase() === orderId);
  if (order === undefined) {
    throw createMismatchError();
  }
  const userId = order.user_id.toLowerCase();
  const page = { ...newestFirst, userId, size: MOST_SEARCHED };
  const { data } = await listOrders(client, call, page);
  const others = data.orders
    .filter((each) => each.id.toLowerCase() !== orderId && isReported(each))
    .slice(0, MOST_OTHERS);
  if (others.some(({ user_id: user }) => user.toLowerCase() !== userId)) {
    throw createMismatchError();
  }
  const results = await Promise.all(
    others.map(async ({ id }) => ({ orderId: id.toLowerCase(), body: await readResult(id) })),
  );
  return {
    body: own,
    userId,
    others: results.flatMap(({ body, ...each }) => (body === undefined ? [] : { ...each, body })),
  };
}

/** Rejects with `not-offered` if the upstream has no list of orders. */
async function listOrders(
  client: HealthDataClient,
  call: SourceCall | undefined,
  query: Parameters<HealthDataClient['orders']['list']>[0],
): Promise<{ data: OrderList; text: string }> {
  const answer = await callUpstream(call, (options) => client.orders.list(query, options)).catch(
    (error: unknown) => {
      throw isNoSuchRoute(error) ? new SourceError('not-offered') : error;
    },
  );
  // Every team has a list, so a 404 means that the route doesn't exist.
  if (answer instanceof NotFoundError) {
    throw new SourceError('not-offered');
  }
  return answer;
}

function isNoSuchRoute(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof HealthDataApiError && [404, 405, 501].includes(cause.status);
}

function requireRequested({ orders, page, size }: OrderList, requested: OrdersQuery): void {
  const ids = orders.map(({ id }) => id.toLowerCase());
  const teams = new Set(orders.map(({ team_id: team }) => team.toLowerCase()));
  const isRequested =
    (page ?? requested.page) === requested.page &&
    (size ?? requested.size) <= requested.size &&
    ids.length <= requested.size &&
    new Set(ids).size === ids.length &&
    teams.size <= 1 &&
    (requested.userId === undefined ||
      orders.every(({ user_id: user }) => user.toLowerCase() === requested.userId?.toLowerCase()));
  if (!isRequested) {
    throw createMismatchError();
  }
}

/** Whether the order may have a result. No result is requested for other orders. */
function isReported({ status, last_event: last }: Order): boolean {
  return (
    status === 'completed' ||
    /\.(?:completed|corrected|partial_results)$/u.test(last?.status ?? '') ||
    (status === undefined && last === undefined)
  );
}

function collectPeople(orders: readonly Order[]): PersonFacts[] {
  const people = Map.groupBy(orders, ({ user_id }) => user_id.toLowerCase());
  return Array.from(people, ([userId, own]) => ({
    userId,
    facts: sortFacts(own.flatMap(toOrderFacts)),
  }));
}
