import type { Order } from '@caregate/domain';
import { sql } from 'kysely';
import { LruMap } from 'toad-cache';
import {
  type HealthDataSource,
  type Imports,
  type PointKey,
  type SourceCall,
  type SourceName,
  type SourceQuery,
  type SourceReaders,
  type SourceResult,
  type Stored,
} from '../health-data-source.ts';
import { SourceError } from '../source-error.ts';
import { ChangedRecords } from './changed-records.ts';
import {
  groupPoints,
  groupsText,
  sourcesOf,
  type SourceKey,
  type SourceRow,
} from './point-groups.ts';
import { matchPerson } from '../people/match-person.ts';
import { everything, withoutLabs } from '../people/person-facts.ts';
import {
  everyoneNamed,
  ranked,
  searchIndex,
  type LookUp,
  type LookUpBehind,
} from '../people/search-tiers.ts';
import { historyOf } from './orders/order-history.ts';
import { statusOf } from './orders/order-row.ts';
import { ordersPage } from './orders/orders-page.ts';
import { candidatesBehind, peopleWithTokens, personOfId } from './people/people-queries.ts';
import { storedObject, uuidBytes, uuidText } from './schema.ts';
import * as queries from './store-queries.ts';

export interface SqlEngine extends queries.StoreEngine {
  readonly peopleWith: queries.PeopleWith;
  readonly peopleBehind: queries.PeopleBehind;
  readonly attempt?: <T>(read: () => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export class SqlStore implements HealthDataSource {
  readonly #engine: SqlEngine;
  readonly #queries: queries.StoreQueries;
  readonly #records: ChangedRecords;
  readonly #teams = new LruMap<Uint8Array>(1000);

  constructor(engine: SqlEngine) {
    this.#engine = engine;
    this.#queries = queries.storeQueries(engine);
    this.#records = new ChangedRecords(engine);
  }

  read<Name extends SourceName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ): Promise<SourceResult<Name>> {
    const { attempt } = this.#engine;
    return attempt === undefined
      ? this.#reads[operation](teamId, query, call)
      : attempt(() => this.#reads[operation](teamId, query, call));
  }

  readonly #reads: SourceReaders = {
    resolveUser: async (teamId, clientUserId) => {
      // PostgreSQL cannot store NUL, so no id has it.
      if (clientUserId.includes('\0')) {
        return undefined;
      }
      const team = this.#teamBytes(teamId);
      return stored(await this.#queries.userByClientId.first({ team, clientUserId }));
    },

    listUsers: async (teamId, { offset, limit }) => {
      const team = this.#teamBytes(teamId);
      const rows = await this.#queries.users.rows({ team, offset, limit });
      const users = rows.flatMap(({ user_id: id, body }) =>
        id === null || body === null ? [] : [{ id: uuidText(id), body }],
      );
      return {
        users: users.map(({ body }) => body).join(','),
        ids: users.map(({ id }) => id),
        total: rows[0]?.total ?? 0,
      };
    },

    latestInsurance: async (teamId, query) => {
      const [team, user] = [this.#teamBytes(teamId), idBytes(query.userId)];
      const isPrimary = query.isPrimary ? 1 : 0;
      const found = await this.#queries.latestInsurance.first({ team, user, isPrimary });
      return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-insurance' : 'no-user');
    },

    labOrderResult: async (teamId, orderId) => {
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
    },

    mindfulnessMinutes: async (teamId, query) => {
      const { after } = query;
      if (after !== undefined && 'upstreamCursor' in after) {
        throw new SourceError('stale-cursor');
      }
      const [team, user] = [this.#teamBytes(teamId), idBytes(query.userId)];
      const userId = query.userId.toLowerCase();
      const pointsQuery = { ...query, after };
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
    },

    userInfo: async (teamId, userId) => {
      const [team, user] = [this.#teamBytes(teamId), idBytes(userId)];
      const found = await this.#queries.userInfo.first({ team, user });
      return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-info' : 'no-user');
    },

    listOrders: (teamId, query) => {
      const { adHoc, peopleWith } = this.#engine;
      const ids = { team: this.#teamBytes(teamId), teamTokens: teamId.toLowerCase() };
      return ordersPage(adHoc, peopleWith, { ...ids, query });
    },

    searchPeople: async (teamId, { query, limit, labs }) => {
      const { db, adHoc, peopleWith } = this.#engine;
      const team = this.#teamBytes(teamId);
      const searched = 'people';
      const visible = labs ? everything : withoutLabs;
      if (query.uuid !== undefined) {
        const known = await personOfId(db, team, query.uuid, labs);
        const hits = known.flatMap((facts) => matchPerson(query, visible(facts)) ?? []);
        return { ...ranked(hits, limit), searched };
      }
      const lookUp: LookUp = (tokens, most) =>
        peopleWithTokens(adHoc, peopleWith, { team, tokens, most });
      const found = await searchIndex(teamId.toLowerCase(), query, limit, lookUp, visible);
      return { ...found, searched };
    },

    everyoneNamed: (teamId, { query, after: place, labs, limit }) => {
      const { adHoc, peopleBehind } = this.#engine;
      const team = this.#teamBytes(teamId);
      const lookUp: LookUpBehind = (tokens, after) =>
        candidatesBehind(adHoc, peopleBehind, { team, tokens, after, limit });
      const seen = labs ? everything : withoutLabs;
      return everyoneNamed(teamId.toLowerCase(), query, place, { lookUp, limit, seen });
    },

    orderHistory: (teamId, orderId) =>
      historyOf(this.#engine.db, this.#teamBytes(teamId), idBytes(orderId)),

    personRecords: async (teamId, ids) => {
      const rows = await this.#records.people(this.#teamBytes(teamId), ids);
      return rows.map(({ user_id: id, user, info, changed_us: changedUs }) => ({
        ...{ userId: uuidText(id), user, info: info ?? undefined, changedUs },
      }));
    },

    userIds: (teamId, query) => this.#records.userIds(this.#teamBytes(teamId), query),

    changedPeople: (teamId, query, call) =>
      this.#records.changedPeople(this.#teamBytes(teamId), query, call?.pause),

    insuranceRecords: (teamId, userId) =>
      this.#records.insurances(this.#teamBytes(teamId), idBytes(userId)),

    orderRecords: (teamId, query) => this.#records.orders(this.#teamBytes(teamId), query),

    pointRecords: async (teamId, query) => {
      const [team, user] = [this.#teamBytes(teamId), idBytes(query.userId)];
      const rows = await this.#records.points(team, user, query);
      const keys = new Map(
        rows.map(({ provider, type }) => [JSON.stringify([provider, type]), { provider, type }]),
      );
      const sources = await this.#sources(team, user, [...keys.values()]);
      return rows.map((row) => ({
        ...{ ...pointKeyOf(row), body: row.body, changedUs: row.changed_us },
        source:
          sources.find(({ provider, type }) => provider === row.provider && type === row.type)
            ?.body ?? JSON.stringify({ provider: row.provider, type: row.type }),
      }));
    },
  };

  async ready(): Promise<void> {
    // Reads a page of the file: `select 1` would not access the disk.
    await this.#engine.db.selectFrom('users').select('created_us').limit(1).execute();
  }

  degraded(): boolean {
    return false;
  }

  async imports(): Promise<Imports> {
    const { db } = this.#engine;
    const row = await db
      .selectFrom('imports')
      .select(['files', 'last_us as lastUs'])
      .executeTakeFirst();
    const waiting = await db
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

function pointKeyOf(row: Omit<queries.PointRow, 'changed_in' | 'body'>): PointKey {
  return { startUs: row.start_us, provider: row.provider, type: row.type, endUs: row.end_us };
}

function stored(row: { user_id: Uint8Array; body: string } | undefined): Stored | undefined {
  return row && { body: row.body, userId: uuidText(row.user_id) };
}

/** Anything else than a UUID becomes empty bytes, which match no row. */
function idBytes(id: string): Uint8Array {
  return uuidBytes(id) ?? new Uint8Array();
}
