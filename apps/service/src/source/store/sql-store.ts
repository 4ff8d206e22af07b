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
import { type StoreSchema, uuidBytes, uuidText } from './schema.ts';
import * as queries from './store-queries.ts';
import { rankStep } from './user-ranks.ts';

/** Reads the health data from SQL tables, on either engine. `caregate import` writes it. */
export class SqlStore implements HealthDataSource {
  readonly #db: Kysely<StoreSchema>;
  readonly #queries: queries.StoreQueries;

  constructor(db: Kysely<StoreSchema>) {
    this.#db = db;
    this.#queries = queries.storeQueries(db);
  }

  async resolveUser(teamId: string, clientUserId: string): Promise<Stored | undefined> {
    const team = uuidBytes(teamId);
    if (team === undefined) {
      return undefined;
    }
    return stored(await this.#queries.userByClientId.first(this.#db, { team, clientUserId }));
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
    const rows = await this.#queries.usersByClientIds.rows(this.#db, { team, ...slots });
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
    const rows =
      offset < rankStep
        ? await this.#queries.firstUsers.rows(this.#db, { team, skip, limit })
        : await this.#queries.usersFrom.rows(this.#db, {
            ...{ team, skip, limit },
            position: offset - skip,
          });
    const users = rows.filter(isUser);
    return {
      users: `[${users.map((row) => row.body).join(',')}]`,
      ids: users.map((row) => uuidText(row.user_id)),
      total: rows[0]?.total ?? 0,
    };
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
    const found = await this.#queries.latestInsurance.first(this.#db, {
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
    return stored(await this.#queries.labResult.first(this.#db, { team, order }));
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
    await this.#db.destroy();
  }

  /** Read after the points, so that sources imported together with them are found. */
  async #sources(team: Uint8Array, user: Uint8Array, groups: PointGroups): Promise<SourceRow[]> {
    const asked = sourcesOf(groups);
    const found: SourceRow[] = [];
    for (let n = 0; n < asked.length; n += queries.sourcesAtOnce) {
      const slots = queries.sourceSlots(asked.slice(n, n + queries.sourcesAtOnce));
      found.push(...(await this.#queries.sources.rows(this.#db, { team, user, ...slots })));
    }
    return found;
  }

  async #hasUser(team: Uint8Array, user: Uint8Array): Promise<boolean> {
    return (await this.#queries.userExists.first(this.#db, { team, user })) !== undefined;
  }
}

function isUser<Row extends { user_id: Uint8Array | null }>(
  row: Row,
): row is Row & { user_id: Uint8Array } {
  return row.user_id !== null;
}

function stored(row: { user_id: Uint8Array; body: string } | undefined): Stored | undefined {
  return row && { body: row.body, userId: uuidText(row.user_id) };
}
