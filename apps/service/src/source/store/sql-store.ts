import { uuidsOf } from '@caregate/audit-log';
import type { Order } from '@caregate/domain';
import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { Kysely } from 'kysely';
import { LruMap } from 'toad-cache';
import {
  staleCursor,
  type HealthDataSource,
  type Imports,
  type NoResult,
  type OrdersPage,
  type OrdersQuery,
  type PeopleFound,
  type PeopleSearchQuery,
  type PointKey,
  type PointsPage,
  type PointsQuery,
  type SourceCall,
  type SourceQuery,
  type SourceReaders,
  type SourceResult,
  type Stored,
  type StoredHistory,
  type UsersPage,
} from '../health-data-source.ts';
import { pointKeyOf, type JoinPoints } from './joined-points.ts';
import {
  groupPoints,
  groupsText,
  groupText,
  sourcesOf,
  type SourceKey,
  type SourceRow,
} from './point-groups.ts';
import { matchPerson } from '../people/match-person.ts';
import { everything, withoutLabs } from '../people/person-facts.ts';
import { ranked, searchIndex, type LookUp } from '../people/search-tiers.ts';
import { historyOf } from './orders/order-history.ts';
import { statusOf } from './orders/order-row.ts';
import { ordersPage } from './orders/orders-page.ts';
import { peopleWithTokens, personOfId } from './people/people-queries.ts';
import { keySlots } from '../../database/batch-loader.ts';
import { storedObject, type StoreSchema, uuidBytes, uuidText } from './schema.ts';
import * as queries from './store-queries.ts';
import { rankStep } from './user-ranks.ts';

/** Reads the health data from SQL tables, on either engine. `caregate import` writes it. */
export class SqlStore implements HealthDataSource, SourceReaders {
  readonly #db: Kysely<StoreSchema>;
  readonly #adHoc: Kysely<StoreSchema>;
  readonly #queries: queries.StoreQueries;
  readonly #peopleWith: queries.PeopleWith;
  readonly #joinPoints: JoinPoints | undefined;
  readonly #holdsThread: boolean;
  readonly #close: () => Promise<void>;
  readonly #teams = new LruMap<Uint8Array>(1000);

  constructor(
    engine: queries.StoreEngine & {
      /** If the engine joins pages of points. */
      readonly joinPoints?: JoinPoints;
      readonly peopleWith: queries.PeopleWith;
      /** Whether the thread waits for a statement. */
      readonly holdsThread: boolean;
      readonly close: () => Promise<void>;
    },
  ) {
    this.#peopleWith = engine.peopleWith;
    this.#holdsThread = engine.holdsThread;
    this.#db = engine.db;
    this.#adHoc = engine.adHoc;
    this.#queries = queries.storeQueries(engine);
    this.#joinPoints = engine.joinPoints;
    this.#close = engine.close;
  }

  read<Name extends ReadName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ): Promise<SourceResult<Name>> {
    return (this as SourceReaders)[operation](teamId, query, call);
  }

  async resolveUser(teamId: string, clientUserId: string): Promise<Stored | undefined> {
    const team = this.#teamBytes(teamId);
    return stored(await this.#queries.userByClientId.first({ team, clientUserId }));
  }

  /** Resolves several client user ids: at most `maxBatchSize`. */
  async resolveUsers(
    teamId: string,
    clientUserIds: readonly string[],
  ): Promise<ReadonlyMap<string, Stored>> {
    const team = this.#teamBytes(teamId);
    const slots = keySlots(clientUserIds);
    const rows = await this.#queries.usersByClientIds.rows({ team, ...slots });
    return new Map(
      rows.map((row) => [row.client_user_id, { body: row.body, userId: uuidText(row.user_id) }]),
    );
  }

  async listUsers(teamId: string, page: SourceQuery<'listUsers'>): Promise<UsersPage> {
    const team = this.#teamBytes(teamId);
    const { offset, limit } = page;
    const skip = offset % rankStep;
    const found =
      offset < rankStep
        ? await this.#queries.firstUsers.first({ team, skip, limit })
        : await this.#queries.usersFrom.first({ team, skip, limit, position: offset - skip });
    const { users, ids, total } = found ?? { users: null, ids: null, total: 0 };
    return { users: users ?? '', ids: uuidsOf(Buffer.from(ids ?? '', 'hex')), total };
  }

  async latestInsurance(
    teamId: string,
    query: SourceQuery<'latestInsurance'>,
  ): Promise<SourceResult<'latestInsurance'>> {
    const [team, user] = [this.#teamBytes(teamId), idBytes(query.userId)];
    const isPrimary = query.isPrimary ? 1 : 0;
    const found = await this.#queries.latestInsurance.first({ team, user, isPrimary });
    return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-insurance' : 'no-user');
  }

  async labOrderResult(teamId: string, orderId: string): Promise<Stored | NoResult | undefined> {
    const [team, order] = [this.#teamBytes(teamId), idBytes(orderId)];
    const found = stored(await this.#queries.labResult.first({ team, order }));
    if (found !== undefined) {
      return found;
    }
    const placed = await this.#queries.order.first({ team, order });
    if (placed === undefined) {
      return undefined;
    }
    const userId = uuidText(placed.user_id);
    const ids = { id: orderId.toLowerCase(), team_id: teamId, user_id: userId };
    return { orderStatus: statusOf({ ...ids, ...storedObject<Order>(placed.body) }), userId };
  }

  async mindfulnessMinutes(
    teamId: string,
    query: PointsQuery,
  ): Promise<PointsPage<PointKey> | undefined> {
    const { after } = query;
    if (after !== undefined && 'upstreamCursor' in after) {
      throw staleCursor();
    }
    const [team, user] = [this.#teamBytes(teamId), idBytes(query.userId)];
    const userId = query.userId.toLowerCase();
    const pointsQuery = { ...query, after };
    const joined = await this.#joinPoints?.(team, user, pointsQuery);
    if (joined !== undefined) {
      const source = joined.source ?? (await this.#sources(team, user, [joined])).at(0);
      const { bodies, count, last: next } = joined;
      return { groups: groupText(joined, bodies, source), count, next, userId };
    }
    // One more shows whether another page follows.
    const slots = { ...queries.pointsSlots(team, user, pointsQuery), limit: query.limit + 1 };
    const found = await this.#queries.points(pointsQuery).rows(slots);
    if (found.length === 0 && !(await this.#hasUser(team, user))) {
      return undefined;
    }
    const rows = found.slice(0, query.limit);
    const last = found.length > query.limit ? rows.at(-1) : undefined;
    const groups = groupPoints(rows);
    return {
      groups: groupsText(groups, await this.#sources(team, user, sourcesOf(groups))),
      count: rows.length,
      next: last && pointKeyOf(last),
      userId,
    };
  }

  async userInfo(teamId: string, userId: string): Promise<Stored | 'no-user' | 'no-info'> {
    const [team, user] = [this.#teamBytes(teamId), idBytes(userId)];
    const found = await this.#queries.userInfo.first({ team, user });
    return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-info' : 'no-user');
  }

  listOrders(teamId: string, query: OrdersQuery, call?: SourceCall): Promise<OrdersPage> {
    const team = this.#teamBytes(teamId);
    const teamTokens = teamId.toLowerCase();
    const pause = this.#holdsThread ? call?.pause : undefined;
    return ordersPage(this.#adHoc, this.#peopleWith, { team, teamTokens, query, pause });
  }

  async searchPeople(
    teamId: string,
    { query, limit, labs }: PeopleSearchQuery,
  ): Promise<PeopleFound> {
    const team = this.#teamBytes(teamId);
    const searched = 'people';
    const visible = labs ? everything : withoutLabs;
    if (query.uuid !== undefined) {
      const known = await personOfId(this.#db, team, query.uuid, labs);
      const hits = known.flatMap((facts) => matchPerson(query, visible(facts)) ?? []);
      return { ...ranked(hits, limit), searched };
    }
    const lookUp: LookUp = (tokens, most) =>
      peopleWithTokens(this.#adHoc, this.#peopleWith, { team, tokens, most });
    const found = await searchIndex(teamId.toLowerCase(), query, limit, lookUp, visible);
    return { ...found, searched };
  }

  orderHistory(teamId: string, orderId: string): Promise<StoredHistory | undefined> {
    return historyOf(this.#db, this.#teamBytes(teamId), idBytes(orderId));
  }

  async ready(): Promise<void> {
    // Reads a page of the file: `select 1` would not access the disk.
    await this.#db.selectFrom('users').select('created_us').limit(1).execute();
  }

  degraded(): boolean {
    return false;
  }

  async imports(): Promise<Imports | undefined> {
    const row = await this.#db
      .selectFrom('imports')
      .select(['files', 'last_us'])
      .executeTakeFirst();
    return row && { files: row.files, lastUs: row.last_us };
  }

  async close(): Promise<void> {
    await this.#close();
  }

  /** Read after the points: sources imported together with them are found. */
  async #sources(
    team: Uint8Array,
    user: Uint8Array,
    keys: readonly SourceKey[],
  ): Promise<SourceRow[]> {
    const found: SourceRow[] = [];
    for (let n = 0; n < keys.length; n += queries.sourcesAtOnce) {
      const slots = queries.sourceSlots(keys.slice(n, n + queries.sourcesAtOnce));
      found.push(...(await this.#queries.sources.rows({ team, user, ...slots })));
    }
    return found;
  }

  /** Cached, since a team calls again and again. */
  #teamBytes(teamId: string): Uint8Array {
    let bytes = this.#teams.get(teamId);
    if (bytes === undefined) {
      bytes = idBytes(teamId);
      this.#teams.set(teamId, bytes);
    }
    return bytes;
  }

  async #hasUser(team: Uint8Array, user: Uint8Array): Promise<boolean> {
    return (await this.#queries.userExists.first({ team, user })) !== undefined;
  }
}

function stored(row: { user_id: Uint8Array; body: string } | undefined): Stored | undefined {
  return row && { body: row.body, userId: uuidText(row.user_id) };
}

/** Anything else than a UUID becomes empty bytes, which match no row. */
function idBytes(id: string): Uint8Array {
  return uuidBytes(id) ?? new Uint8Array();
}
