import { Kysely, PostgresDialect } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type {
  HealthDataSource,
  PointKey,
  PointsPage,
  PointsQuery,
  Stored,
  UsersPage,
} from '../../health-data-source.ts';
import { errorCode } from '../../../database/error-code.ts';
import type { StoreSchema } from '../schema.ts';
import { SqlStore } from '../sql-store.ts';
import { BatchLoader } from '../../../database/postgres/batch-loader.ts';
import { isTransient } from '../../../database/postgres/postgres-errors.ts';
import { storeSchema } from './postgres-schema.ts';
import { preparedPool } from '../../../database/postgres/prepared-pool.ts';

/** Before the second, third, … try of a read, in milliseconds: a connection may be broken, a new primary be a moment away. */
const pauses = [0, 100, 400, 1000];
/** No further try after so long, in milliseconds: a host that says nothing takes each try its whole time. */
const patienceMs = 3000;

/**
 * The health data in PostgreSQL. A read that finds its connection broken is asked again, on another: it changes nothing,
 * so that twice is the same as once.
 *
 * A replica may be some moments behind. It gives the list of users and the pages of points, where that harms nobody, and
 * nothing else: who a `client_user_id` belongs to, a lab result and an insurance are what the primary says now. Where
 * the replica fails, or does not know the user yet, the primary is asked.
 */
export class PostgresStore implements HealthDataSource {
  readonly #primary: SqlStore;
  readonly #replica: SqlStore | undefined;
  readonly #pools: readonly pg.Pool[];
  readonly #resolving = new Map<string, BatchLoader<Stored>>();
  #replicaFails = false;

  /** The pools are closed with the store. */
  constructor(primary: pg.Pool, replica?: pg.Pool) {
    this.#primary = storeOn(primary);
    this.#replica = replica && storeOn(replica);
    this.#pools = replica === undefined ? [primary] : [primary, replica];
  }

  resolveUser(teamId: string, clientUserId: string): Promise<Stored | undefined> {
    // No text of PostgreSQL has it, so nobody's id does; it would fail the statement, for others too.
    return clientUserId.includes('\0')
      ? Promise.resolve(undefined)
      : again(() => this.#resolvingOf(teamId).first(clientUserId));
  }

  /** Those of one team are looked up together. */
  #resolvingOf(teamId: string): BatchLoader<Stored> {
    let resolving = this.#resolving.get(teamId);
    if (resolving === undefined) {
      resolving = new BatchLoader((ids) => this.#primary.resolveUsers(teamId, ids));
      this.#resolving.set(teamId, resolving);
    }
    return resolving;
  }

  async listUsers(teamId: string, page: { offset: number; limit: number }): Promise<UsersPage> {
    const read = (store: SqlStore): Promise<UsersPage> => store.listUsers(teamId, page);
    return (await this.#fromReplica(read)) ?? (await again(() => read(this.#primary)));
  }

  latestInsurance(
    teamId: string,
    userId: string,
    isPrimary: boolean,
  ): Promise<Stored | 'no-user' | 'no-insurance'> {
    return again(() => this.#primary.latestInsurance(teamId, userId, isPrimary));
  }

  labOrderResult(teamId: string, orderId: string): Promise<Stored | undefined> {
    return again(() => this.#primary.labOrderResult(teamId, orderId));
  }

  async mindfulnessMinutes(
    teamId: string,
    query: PointsQuery,
  ): Promise<PointsPage<PointKey> | undefined> {
    const read = (store: SqlStore): Promise<PointsPage<PointKey> | undefined> =>
      store.mindfulnessMinutes(teamId, query);
    return (await this.#fromReplica(read)) ?? (await again(() => read(this.#primary)));
  }

  /** The primary alone: without the replica everything can still be answered. Not tried again: it is asked how it is. */
  ready(): Promise<void> {
    return this.#primary.ready();
  }

  /** Whether the replica failed when it was last asked. */
  degraded(): boolean {
    return this.#replicaFails;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.filter((pool) => !pool.ending).map((pool) => pool.end()));
  }

  /** `undefined` where there is no replica, it fails, or it does not know. */
  async #fromReplica<T>(read: (store: SqlStore) => Promise<T>): Promise<T | undefined> {
    if (this.#replica === undefined) {
      return undefined;
    }
    try {
      const found = await read(this.#replica);
      this.#replicaFails = false;
      return found;
    } catch (error) {
      if (!isTransient(error) && !isBehind(error)) {
        throw error;
      }
      this.#replicaFails = true;
      return undefined;
    }
  }
}

function storeOn(pool: pg.Pool): SqlStore {
  const dialect = new PostgresDialect({ pool: preparedPool(pool) });
  return new SqlStore(new Kysely<StoreSchema>({ dialect }).withSchema(storeSchema));
}

async function again<T>(read: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (const pause of pauses) {
    try {
      return await read();
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) {
        throw error;
      }
      await sleep(pause);
    }
  }
  return await read();
}

/**
 * A standby ends a long read that stands in the way of what it has to catch up with (40001), and lacks a new table until
 * it has caught up (42P01).
 */
function isBehind(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '42P01';
}
