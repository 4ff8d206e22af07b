import type { Order } from '@caregate/domain';
import { sql, type Kysely } from 'kysely';
import type { HealthDataSource } from '../health-data-source.ts';
import type {
  DatedRecords,
  Imports,
  InsuranceQuery,
  NoResult,
  OrdersPage,
  OrdersQuery,
  PeopleFound,
  PeopleSearchQuery,
  PointsPage,
  PointsQuery,
  Stored,
  StoredHistory,
  StoredResult,
  UsersPage,
  UsersQuery,
} from '../health-data.ts';
import { SourceError } from '../source-error.ts';
import { SqlRecords } from './sql-records.ts';
import { compileOnce } from '../database/compile-once.ts';
import {
  groupPoints,
  groupsText,
  pointKey,
  pointSources,
  pointsInOrder,
  rowCount,
} from './points.ts';
import { readOrderHistory } from './orders/order-history.ts';
import { readStatus } from './orders/order-row.ts';
import { ordersPage } from './orders/orders-page.ts';
import type { PeopleIndex } from './people/people-index.ts';
import { TeamPeople } from './people/team-people.ts';
import { idBytes, storedObject, uuidText, type StoreSchema } from './schema.ts';

export interface SqlEngine {
  readonly db: Kysely<StoreSchema>;
  /** For statements whose text varies, so that preparing them gains nothing. */
  readonly adHoc: Kysely<StoreSchema>;
  readonly people: PeopleIndex;
  readonly close: () => Promise<void>;
}

/** The store on either engine. Every query is restricted to a team. */
export class SqlStore implements HealthDataSource {
  readonly #engine: SqlEngine;
  readonly #db: Kysely<StoreSchema>;

  constructor(engine: SqlEngine) {
    this.#engine = engine;
    this.#db = engine.db;
  }

  async userByClientId(teamId: string, clientUserId: string): Promise<Stored | undefined> {
    // PostgreSQL can't store NUL, so no ID contains it.
    if (clientUserId.includes('\0')) {
      return undefined;
    }
    const [found] = await userByClientId(this.#db, { team: idBytes(teamId), clientUserId });
    return stored(found);
  }

  async users(teamId: string, { offset, limit }: UsersQuery): Promise<UsersPage> {
    const rows = await usersPage(this.#db, { team: idBytes(teamId), offset, limit });
    const total = rows[0]?.total ?? 0;
    const users = rows.flatMap(({ user_id: id, body }) =>
      id === null || body === null ? [] : [{ id: uuidText(id), body }],
    );
    return {
      body: `{"users":[${users.map(({ body }) => body).join(',')}],"total":${total},"offset":${offset},"limit":${limit}}`,
      ids: users.map(({ id }) => id),
      total,
    };
  }

  async latestInsurance(
    teamId: string,
    { userId, isPrimary }: InsuranceQuery,
  ): Promise<Stored | 'no-insurance' | 'no-user'> {
    const [team, user] = [idBytes(teamId), idBytes(userId)];
    const [found] = await newestInsurance(this.#db, { team, user, primary: isPrimary ? 1 : 0 });
    return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-insurance' : 'no-user');
  }

  async labResult(teamId: string, orderId: string): Promise<StoredResult | NoResult | undefined> {
    const [team, order] = [idBytes(teamId), idBytes(orderId)];
    const [result] = await labResult(this.#db, { team, order });
    if (result !== undefined) {
      return stored(result);
    }
    const [placed] = await orderWithoutResult(this.#db, { team, order });
    if (placed === undefined) {
      return undefined;
    }
    const userId = uuidText(placed.user_id);
    const ids = { id: orderId.toLowerCase(), team_id: teamId, user_id: userId };
    return { orderStatus: readStatus({ ...ids, ...storedObject<Order>(placed.body) }), userId };
  }

  async timeseries(teamId: string, query: PointsQuery): Promise<PointsPage | undefined> {
    const { after } = query;
    if (after !== undefined && 'upstreamCursor' in after) {
      throw new SourceError('stale-cursor');
    }
    const [team, user] = [idBytes(teamId), idBytes(query.userId)];
    const page = { ...query, after, limit: query.limit + 1 };
    const found = await pointsInOrder(this.#db, team, user, page)
      .select(['start_us', 'provider', 'type', 'end_us', 'body'])
      .execute();
    if (found.length === 0 && !(await this.#hasUser(team, user))) {
      return undefined;
    }
    const rows = found.slice(0, query.limit);
    const last = found.length > query.limit ? rows.at(-1) : undefined;
    return {
      // Read after the points, to include sources that were imported together with them.
      groups: groupsText(groupPoints(rows), await pointSources(this.#db, { team, user })),
      count: rows.length,
      next: last && pointKey(last),
      userId: query.userId.toLowerCase(),
    };
  }

  async userInfo(teamId: string, userId: string): Promise<Stored | 'no-info' | 'no-user'> {
    const [team, user] = [idBytes(teamId), idBytes(userId)];
    const [found] = await newestInfo(this.#db, { team, user });
    return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-info' : 'no-user');
  }

  orders(teamId: string, query: OrdersQuery): Promise<OrdersPage> {
    return ordersPage(this.#engine.adHoc, this.#engine.people, { team: idBytes(teamId), query });
  }

  async searchPeople(
    teamId: string,
    { query, limit, labs }: PeopleSearchQuery,
  ): Promise<PeopleFound> {
    const { adHoc, people } = this.#engine;
    const inTeam = new TeamPeople(adHoc, people, idBytes(teamId), labs);
    return { ...(await inTeam.search(query, limit)), searched: 'people' };
  }

  orderHistory(teamId: string, orderId: string): Promise<StoredHistory | undefined> {
    return readOrderHistory(this.#db, idBytes(teamId), idBytes(orderId));
  }

  records(teamId: string): DatedRecords {
    return new SqlRecords(this.#engine, idBytes(teamId));
  }

  async ready(): Promise<void> {
    // This query reads a page of the file. `select 1` would not access the disk.
    await this.#db.selectFrom('users').select('created_us').limit(1).execute();
  }

  degraded(): boolean {
    return false;
  }

  async imports(): Promise<Imports> {
    const row = await this.#db
      .selectFrom('imports')
      .select(['files', 'last_us as lastUs'])
      .executeTakeFirst();
    const waiting = await this.#db
      .selectFrom('hl7_messages')
      .where('waits_for', '<>', sql.lit(''))
      .select(({ fn }) => [
        fn.countAll<number | string>().as('messages'),
        fn.min<number | null>('received_us').as('oldestUs'),
      ])
      .executeTakeFirst();
    return {
      ...row,
      waitingMessages: Number(waiting?.messages ?? 0),
      oldestWaitingUs: waiting?.oldestUs ?? undefined,
    };
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  async #hasUser(team: Uint8Array, user: Uint8Array): Promise<boolean> {
    return (await userById(this.#db, { team, user })).length > 0;
  }
}

type Team = Record<'team', Uint8Array>;
type TeamAndUser = Record<'team' | 'user', Uint8Array>;
type TeamAndOrder = Record<'team' | 'order', Uint8Array>;

interface Body {
  readonly user_id: Uint8Array;
  readonly body: string;
}

const userByClientId = compileOnce<StoreSchema, Team & { clientUserId: string }, Body>(
  (db, value) =>
    db
      .selectFrom('users')
      .select(['user_id', 'body'])
      .where('team_id', '=', value('team'))
      .where('client_user_id', '=', value('clientUserId')),
);

const userById = compileOnce<StoreSchema, TeamAndUser, { user_id: Uint8Array }>((db, value) =>
  db
    .selectFrom('users')
    .select('user_id')
    .where('team_id', '=', value('team'))
    .where('user_id', '=', value('user')),
);

const usersPage = compileOnce<
  StoreSchema,
  Team & Record<'offset' | 'limit', number>,
  { total: number; user_id: Uint8Array | null; body: string | null }
>((db, value) => {
  const total = db.selectFrom('user_totals').select('total').where('team_id', '=', value('team'));
  const page = db
    .selectFrom('users')
    .select(['user_id', 'body', 'created_us'])
    .where('team_id', '=', value('team'))
    .orderBy('created_us')
    .orderBy('user_id')
    .limit(rowCount(value('limit')))
    .offset(rowCount(value('offset')));
  // One statement, so that page and total are consistent. An empty page has a single row without a user.
  return db
    .selectNoFrom((select) => select.fn.coalesce(total, sql<number>`0`).as('total'))
    .$call((counted) => db.selectFrom(counted.as('counted')))
    .leftJoin(page.as('page'), (join) => join.onTrue())
    .select(['counted.total', 'page.user_id', 'page.body'])
    .orderBy('page.created_us')
    .orderBy('page.user_id');
});

const newestInsurance = compileOnce<StoreSchema, TeamAndUser & { primary: number }, Body>(
  (db, value) =>
    db
      .selectFrom('insurances')
      .select(['user_id', 'body'])
      .where('team_id', '=', value('team'))
      .where('user_id', '=', value('user'))
      .where('is_primary', '=', value('primary'))
      .orderBy('recorded_us', 'desc')
      .limit(sql.lit(1)),
);

const newestInfo = compileOnce<StoreSchema, TeamAndUser, Body>((db, value) =>
  db
    .selectFrom('user_infos')
    .select(['user_id', 'body'])
    .where('team_id', '=', value('team'))
    .where('user_id', '=', value('user'))
    .orderBy('recorded_us', 'desc')
    .limit(sql.lit(1)),
);

const labResult = compileOnce<StoreSchema, TeamAndOrder, Body>((db, value) =>
  db
    .selectFrom('lab_results')
    .select(['user_id', 'body'])
    .where('team_id', '=', value('team'))
    .where('order_id', '=', value('order')),
);

const orderWithoutResult = compileOnce<StoreSchema, TeamAndOrder, Body>((db, value) =>
  db
    .selectFrom('orders')
    .select(['user_id', 'body'])
    .where('team_id', '=', value('team'))
    .where('order_id', '=', value('order')),
);

function stored(row: { user_id: Uint8Array; body: string } | undefined): Stored | undefined {
  return row && { body: row.body, userId: uuidText(row.user_id) };
}
