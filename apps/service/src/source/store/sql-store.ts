import type { Kysely } from 'kysely';
import {
  staleCursor,
  type HealthDataSource,
  type PointKey,
  type PointsPage,
  type PointsQuery,
  type Stored,
  type UsersPage,
} from '../health-data-source.ts';
import {
  groupPoints,
  groupsText,
  sourcesOf,
  type PointGroups,
  type SourceRow,
} from './point-groups.ts';
import { keySlots } from '../../database/postgres/batch-loader.ts';
import { type StoreSchema, uuidBytes, uuidText, uuidTexts } from './schema.ts';
import * as queries from './store-queries.ts';
import { rankStep } from './user-ranks.ts';

/** Reads the health data from SQL tables, on either engine. `caregate import` writes it. */
export class SqlStore implements HealthDataSource {
  readonly #db: Kysely<StoreSchema>;
  readonly #queries: queries.StoreQueries;
  readonly #close: () => Promise<void>;

  constructor(engine: queries.StoreEngine & { readonly close: () => Promise<void> }) {
    this.#db = engine.db;
    this.#queries = queries.storeQueries(engine);
    this.#close = engine.close;
  }

  async resolveUser(teamId: string, clientUserId: string): Promise<Stored | undefined> {
    const team = uuidBytes(teamId);
    if (team === undefined) {
      return undefined;
    }
    return stored(await this.#queries.userByClientId.first({ team, clientUserId }));
  }

  /** Resolves several client user ids: at most `maxBatchSize`. */
  async resolveUsers(
    teamId: string,
    clientUserIds: readonly string[],
  ): Promise<ReadonlyMap<string, Stored>> {
    const team = uuidBytes(teamId);
    if (team === undefined) {
      return new Map();
    }
    const slots = keySlots(clientUserIds);
    const rows = await this.#queries.usersByClientIds.rows({ team, ...slots });
    return new Map(
      rows.map((row) => [row.client_user_id, { body: row.body, userId: uuidText(row.user_id) }]),
    );
  }

  async listUsers(teamId: string, page: { offset: number; limit: number }): Promise<UsersPage> {
    const team = uuidBytes(teamId);
    if (team === undefined) {
      return { users: '[]', ids: [], total: 0 };
    }
    const { offset, limit } = page;
    const skip = offset % rankStep;
    const found =
      offset < rankStep
        ? await this.#queries.firstUsers.first({ team, skip, limit })
        : await this.#queries.usersFrom.first({ team, skip, limit, position: offset - skip });
    const { users, ids, total } = found ?? { users: null, ids: null, total: 0 };
    return { users: `[${users ?? ''}]`, ids: uuidTexts(ids ?? ''), total };
  }

  async latestInsurance(
    teamId: string,
    userId: string,
    isPrimary: boolean,
  ): Promise<Stored | 'no-user' | 'no-insurance'> {
    const team = uuidBytes(teamId);
    const user = uuidBytes(userId);
    if (team === undefined || user === undefined) {
      return 'no-user';
    }
    const found = await this.#queries.latestInsurance.first({
      team,
      user,
      isPrimary: isPrimary ? 1 : 0,
    });
    return stored(found) ?? ((await this.#hasUser(team, user)) ? 'no-insurance' : 'no-user');
  }

  async labOrderResult(teamId: string, orderId: string): Promise<Stored | undefined> {
    const team = uuidBytes(teamId);
    const order = uuidBytes(orderId);
    if (team === undefined || order === undefined) {
      return undefined;
    }
    return stored(await this.#queries.labResult.first({ team, order }));
  }

  async mindfulnessMinutes(
    teamId: string,
    query: PointsQuery,
  ): Promise<PointsPage<PointKey> | undefined> {
    const { after } = query;
    if (after !== undefined && 'upstreamCursor' in after) {
      throw staleCursor();
    }
    const team = uuidBytes(teamId);
    const user = uuidBytes(query.userId);
    if (team === undefined || user === undefined) {
      return undefined;
    }
    // One more than the limit shows whether there is another page.
    const asked = { ...query, after };
    const found = await queries.pointsPage(this.#db, team, user, asked, query.limit + 1).execute();
    if (found.length === 0 && !(await this.#hasUser(team, user))) {
      return undefined;
    }
    const rows = found.slice(0, query.limit);
    const last = found.length > query.limit ? rows.at(-1) : undefined;
    const groups = groupPoints(rows);
    return {
      groups: groupsText(groups, await this.#sources(team, user, groups)),
      count: rows.length,
      next: last && {
        startUs: last.start_us,
        provider: last.provider,
        type: last.type,
        endUs: last.end_us,
      },
      userId: uuidText(user),
    };
  }

  async ready(): Promise<void> {
    // Reads a page of the file: `select 1` would not access the disk.
    await this.#db.selectFrom('users').select('created_us').limit(1).execute();
  }

  /** The store is the same for every team. */
  degraded(): boolean {
    return false;
  }

  async close(): Promise<void> {
    await this.#close();
  }

  /** Read after the points, so that sources imported together with them are found. */
  async #sources(team: Uint8Array, user: Uint8Array, groups: PointGroups): Promise<SourceRow[]> {
    const asked = sourcesOf(groups);
    const found: SourceRow[] = [];
    for (let n = 0; n < asked.length; n += queries.sourcesAtOnce) {
      const slots = queries.sourceSlots(asked.slice(n, n + queries.sourcesAtOnce));
      found.push(...(await this.#queries.sources.rows({ team, user, ...slots })));
    }
    return found;
  }

  async #hasUser(team: Uint8Array, user: Uint8Array): Promise<boolean> {
    return (await this.#queries.userExists.first({ team, user })) !== undefined;
  }
}

function stored(row: { user_id: Uint8Array; body: string } | undefined): Stored | undefined {
  return row && { body: row.body, userId: uuidText(row.user_id) };
}
