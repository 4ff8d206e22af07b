import { Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { OperationName as ReadName } from '@caregate/domain/operations';
import type {
  HealthDataSource,
  Imports,
  SourceQuery,
  SourceResult,
  Stored,
} from '../../health-data-source.ts';
import { errorCode } from '../../../config/operator-error.ts';
import type { StoreSchema } from '../schema.ts';
import { SqlStore } from '../sql-store.ts';
import type { PeopleWith } from '../store-queries.ts';
import { BatchLoader } from '../../../database/batch-loader.ts';
import { isTransient } from '../../../database/postgres/postgres-errors.ts';
import { joinPointsOnPostgres } from './join-points.ts';
import { storeSchema } from './postgres-schema.ts';
import { preparedPool, prepareOnPostgres } from '../../../database/postgres/prepared-pool.ts';

/** Delays before the retries of a read: a connection may be broken, or a failover in progress. */
const retryDelaysMs = [0, 100, 400, 1000];
/** No retries after this time: with an unresponsive host, every attempt takes its full timeout. */
const retryLimitMs = 3000;

/** Reads that may be slightly stale. Resolving a user, lab results and insurances always go to the primary. */
const FROM_REPLICA: ReadonlySet<ReadName> = new Set([
  'listUsers',
  'mindfulnessMinutes',
  'listOrders',
  'searchPeople',
]);

/**
 * The health data in PostgreSQL. A read whose connection is broken is retried on another one, which is safe since reads
 * are idempotent.
 *
 * If the replica fails, or does not have the user yet, the primary is used.
 */
export class PostgresStore implements HealthDataSource {
  readonly #primary: SqlStore;
  readonly #replica: SqlStore | undefined;
  readonly #pools: readonly pg.Pool[];
  #replicaFails = false;

  /** Takes ownership of the pools and closes them. */
  constructor(primary: pg.Pool, replica?: pg.Pool) {
    this.#primary = storeOn(primary);
    this.#replica = replica && storeOn(replica);
    this.#pools = replica === undefined ? [primary] : [primary, replica];
  }

  async read<Name extends ReadName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
  ): Promise<SourceResult<Name>> {
    const read = (store: SqlStore): Promise<SourceResult<Name>> =>
      store.read(operation, teamId, query);
    const found = FROM_REPLICA.has(operation) ? await this.#fromReplica(read) : undefined;
    return found ?? (await withRetries(() => read(this.#primary)));
  }

  /** Checks only the primary: the replica is optional. Not retried, since this is a health check. */
  ready(): Promise<void> {
    return this.#primary.ready();
  }

  degraded(): boolean {
    return this.#replicaFails;
  }

  imports(): Promise<Imports | undefined> {
    return this.#primary.imports();
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.filter((pool) => !pool.ending).map((pool) => pool.end()));
  }

  /** `undefined` if there is no replica, it fails, or it does not have the data. */
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

class BatchingStore extends SqlStore {
  readonly #resolving = new Map<string, BatchLoader<Stored>>();

  override async resolveUser(teamId: string, clientUserId: string): Promise<Stored | undefined> {
    // PostgreSQL cannot store NUL, so no id has it; it would fail the whole batch.
    if (clientUserId.includes('\0')) {
      return undefined;
    }
    let resolving = this.#resolving.get(teamId);
    if (resolving === undefined) {
      resolving = new BatchLoader((ids) => this.resolveUsers(teamId, ids));
      this.#resolving.set(teamId, resolving);
    }
    return await resolving.first(clientUserId);
  }
}

/** Relies on the order of the subquery: otherwise each aggregate sorts the page. */
const joined = {
  users: sql<string | null>`string_agg(body, ',')`,
  ids: sql<string | null>`string_agg(encode(user_id, 'hex'), '')`,
};

/** Beyond it the planner expects so many people that it would read the whole table. */
const mostAlternatives = 8;

/** One condition for all single tokens: the index intersects the lists. Each token of a long list is looked up by itself. */
const peopleWith: PeopleWith = (db, team, tokens) => {
  const long = tokens.find((list) => list.length > mostAlternatives);
  const single = tokens.flatMap((list) => (list.length === 1 ? list : []));
  const several = tokens.filter((list) => list.length > 1 && list !== long);
  const conditions = [
    ...(long === undefined ? [] : [sql`people.tokens @> array[near.token]`]),
    ...(single.length === 0 ? [] : [sql`people.tokens @> ${arrayText(single)}::integer[]`]),
    ...several.map((list) => sql`people.tokens && ${arrayText(list)}::integer[]`),
  ];
  const people = db
    .selectFrom('people')
    .where('people.team_id', '=', team)
    .where(sql<boolean>`(${sql.join(conditions, sql` and `)})`);
  return long === undefined
    ? people
    : db
        .selectFrom(sql`unnest(${arrayText(long)}::integer[])`.as(sql`near(token)`))
        // `offset 0` keeps the look-ups from being planned as one pass.
        .innerJoinLateral(people.selectAll().offset(0).as('people'), (join) => join.onTrue());
};

function arrayText(tokens: readonly number[]): string {
  return `{${tokens.join(',')}}`;
}

function storeOn(pool: pg.Pool): SqlStore {
  const dialect = new PostgresDialect({ pool: preparedPool(pool) });
  const db = new Kysely<StoreSchema>({ dialect }).withSchema(storeSchema);
  // Not destroyed: the pool is closed with the store.
  const adHoc = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  return new BatchingStore({
    ...{ db, adHoc: adHoc.withSchema(storeSchema), holdsThread: false, joined, peopleWith },
    joinPoints: joinPointsOnPostgres(db, prepareOnPostgres(pool)),
    prepare: prepareOnPostgres(pool),
    close: () => db.destroy(),
  });
}

async function withRetries<T>(read: () => Promise<T>): Promise<T> {
  const until = performance.now() + retryLimitMs;
  for (const pause of retryDelaysMs) {
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
 * A standby cancels long reads that conflict with recovery (40001), and does not have new tables until it has caught up
 * (42P01).
 */
function isBehind(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '42P01';
}
