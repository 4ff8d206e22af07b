import type { Order } from '@caregate/domain';
import { sql, type Kysely } from 'kysely';
import type { HealthDataSource } from '../health-data-source.ts';
import type {
  DatedRecords,
  ImportStatus,
  InsuranceQuery,
  NoResult,
  OrdersPage,
  OrdersQuery,
  PeopleResult,
  PeopleSearchQuery,
  PointsPage,
  PointsQuery,
  StoredRecord,
  StoredHistory,
  StoredResult,
  UsersPage,
  UsersQuery,
} from '../health-data.ts';
import { SourceError } from '../source-error.ts';
import { SqlRecords } from './sql-records.ts';
import { compileOnce } from '../database/compile-once.ts';
import {
  formatGroups,
  toPointKey,
  selectPointSources,
  selectPoints,
  castRowCount,
} from './points.ts';
import { readOrderHistory } from './orders/order-history.ts';
import { readStatus } from './orders/order-row.ts';
import { readOrdersPage } from './orders/orders-page.ts';
import type { PeopleIndex } from './people/people-index.ts';
import { TeamPeople } from './people/team-people.ts';
import { toIdBytes, parseStoredObject, formatUuid, type StoreSchema } from './schema.ts';

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

  async findUserByClientId(
    teamId: string,
    clientUserId: string,
  ): Promise<StoredRecord | undefined> {
    // PostgreSQL can't store NUL, so no ID contains it.
    if (clientUserId.includes('\0')) {
      return undefined;
    }
    const [found] = await selectUserByClientId(this.#db, { team: toIdBytes(teamId), clientUserId });
    return toStoredRecord(found);
  }

  async listUsers(teamId: string, { offset, limit }: UsersQuery): Promise<UsersPage> {
    const rows = await selectUsersPage(this.#db, { team: toIdBytes(teamId), offset, limit });
    const total = rows[0]?.total ?? 0;
    const users = rows.flatMap(({ user_id: id, body }) =>
      id === null || body === null ? [] : [{ id: formatUuid(id), body }],
    );
    return {
      body: `{"users":[${users.map(({ body }) => body).join(',')}],"total":${total},"offset":${offset},"limit":${limit}}`,
      ids: users.map(({ id }) => id),
      total,
    };
  }

  async getLatestInsurance(
    teamId: string,
    { userId, isPrimary }: InsuranceQuery,
  ): Promise<StoredRecord | 'no-insurance' | 'no-user'> {
    const [team, user] = [toIdBytes(teamId), toIdBytes(userId)];
    const [found] = await selectNewestInsurance(this.#db, {
      team,
      user,
      primary: isPrimary ? 1 : 0,
    });
    return (
      toStoredRecord(found) ?? ((await this.#hasUser(team, user)) ? 'no-insurance' : 'no-user')
    );
  }

  async getLabResult(
    teamId: string,
    orderId: string,
  ): Promise<StoredResult | NoResult | undefined> {
    const [team, order] = [toIdBytes(teamId), toIdBytes(orderId)];
    const [result] = await selectLabResult(this.#db, { team, order });
    if (result !== undefined) {
      return toStoredRecord(result);
    }
    const [placed] = await selectOrder(this.#db, { team, order });
    if (placed === undefined) {
      return undefined;
    }
    const userId = formatUuid(placed.user_id);
    const ids = { id: orderId.toLowerCase(), team_id: teamId, user_id: userId };
    return {
      orderStatus: readStatus({ ...ids, ...parseStoredObject<Order>(placed.body) }),
      userId,
    };
  }

  async getTimeseries(teamId: string, query: PointsQuery): Promise<PointsPage | undefined> {
    const { after } = query;
    if (after !== undefined && 'upstreamCursor' in after) {
      throw new SourceError('stale-cursor');
    }
    const [team, user] = [toIdBytes(teamId), toIdBytes(query.userId)];
    const page = { ...query, after, limit: query.limit + 1 };
    const found = await selectPoints(this.#db, team, user, page)
      .select(['start_us', 'provider', 'type', 'end_us', 'body'])
      .execute();
    if (found.length === 0 && !(await this.#hasUser(team, user))) {
      return undefined;
    }
    const rows = found.slice(0, query.limit);
    const last = found.length > query.limit ? rows.at(-1) : undefined;
    return {
      // Read after the points, to include sources that were imported together with them.
      groups: formatGroups(rows, await selectPointSources(this.#db, { team, user })),
      count: rows.length,
      next: last && toPointKey(last),
      userId: query.userId.toLowerCase(),
    };
  }

  async getUserInfo(teamId: string, userId: string): Promise<StoredRecord | 'no-info' | 'no-user'> {
    const [team, user] = [toIdBytes(teamId), toIdBytes(userId)];
    const [found] = await selectNewestInfo(this.#db, { team, user });
    return toStoredRecord(found) ?? ((await this.#hasUser(team, user)) ? 'no-info' : 'no-user');
  }

  listOrders(teamId: string, query: OrdersQuery): Promise<OrdersPage> {
    return readOrdersPage(this.#engine.adHoc, this.#engine.people, {
      team: toIdBytes(teamId),
      query,
    });
  }

  async searchPeople(
    teamId: string,
    { query, limit, labs }: PeopleSearchQuery,
  ): Promise<PeopleResult> {
    const { adHoc, people } = this.#engine;
    const inTeam = new TeamPeople(adHoc, people, toIdBytes(teamId), labs);
    return { ...(await inTeam.search(query, limit)), searched: 'people' };
  }

  getOrderHistory(teamId: string, orderId: string): Promise<StoredHistory | undefined> {
    return readOrderHistory(this.#db, toIdBytes(teamId), toIdBytes(orderId));
  }

  getRecords(teamId: string): DatedRecords {
    return new SqlRecords(this.#engine, toIdBytes(teamId));
  }

  async checkReady(): Promise<void> {
    // This query reads a page of the file. `select 1` would not access the disk.
    await this.#db.selectFrom('users').select('created_us').limit(1).execute();
  }

  isDegraded(): boolean {
    return false;
  }

  async getImports(): Promise<ImportStatus> {
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
    return (await selectUserById(this.#db, { team, user })).length > 0;
  }
}

type Team = Record<'team', Uint8Array>;
type TeamAndUser = Record<'team' | 'user', Uint8Array>;
type TeamAndOrder = Record<'team' | 'order', Uint8Array>;

interface Body {
  readonly user_id: Uint8Array;
  readonly body: string;
}

const selectUserByClientId = compileOnce<StoreSchema, Team & { clientUserId: string }, Body>(
  (db, value) =>
    db
      .selectFrom('users')
      .select(['user_id', 'body'])
      .where('team_id', '=', value('team'))
      .where('client_user_id', '=', value('clientUserId')),
);

const selectUserById = compileOnce<StoreSchema, TeamAndUser, { user_id: Uint8Array }>((db, value) =>
  db
    .selectFrom('users')
    .select('user_id')
    .where('team_id', '=', value('team'))
    .where('user_id', '=', value('user')),
);

const selectUsersPage = compileOnce<
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
    .limit(castRowCount(value('limit')))
    .offset(castRowCount(value('offset')));
  // One statement, so that page and total are consistent. An empty page has a single row without a user.
  return db
    .selectNoFrom((select) => select.fn.coalesce(total, sql<number>`0`).as('total'))
    .$call((counted) => db.selectFrom(counted.as('counted')))
    .leftJoin(page.as('page'), (join) => join.onTrue())
    .select(['counted.total', 'page.user_id', 'page.body'])
    .orderBy('page.created_us')
    .orderBy('page.user_id');
});

const selectNewestInsurance = compileOnce<StoreSchema, TeamAndUser & { primary: number }, Body>(
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

const selectNewestInfo = compileOnce<StoreSchema, TeamAndUser, Body>((db, value) =>
  db
    .selectFrom('user_infos')
    .select(['user_id', 'body'])
    .where('team_id', '=', value('team'))
    .where('user_id', '=', value('user'))
    .orderBy('recorded_us', 'desc')
    .limit(sql.lit(1)),
);

const selectLabResult = compileOnce<StoreSchema, TeamAndOrder, Body>((db, value) =>
  db
    .selectFrom('lab_results')
    .select(['user_id', 'body'])
    .where('team_id', '=', value('team'))
    .where('order_id', '=', value('order')),
);

const selectOrder = compileOnce<StoreSchema, TeamAndOrder, Body>((db, value) =>
  db
    .selectFrom('orders')
    .select(['user_id', 'body'])
    .where('team_id', '=', value('team'))
    .where('order_id', '=', value('order')),
);

function toStoredRecord(
  row: { user_id: Uint8Array; body: string } | undefined,
): StoredRecord | undefined {
  return row && { body: row.body, userId: formatUuid(row.user_id) };
}
