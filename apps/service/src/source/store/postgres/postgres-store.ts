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

/**
 * The health data in PostgreSQL. A read whose connection is broken is retried on another one, which is safe since reads
 * are idempotent.
 */
export class PostgresStore implements HealthDataSource {
  readonly #store: SqlStore;
  readonly #pool: pg.Pool;

  /** Takes ownership of the pool and closes it. */
  constructor(pool: pg.Pool) {
    this.#store = storeOn(pool);
    this.#pool = pool;
  }

  async read<Name extends ReadName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
  ): Promise<SourceResult<Name>> {
    return await withRetries(() => this.#store.read(operation, teamId, query));
  }

  /** Not retried, since this is a health check. */
  ready(): Promise<void> {
    return this.#store.ready();
  }

  degraded(): boolean {
    return false;
  }

  imports(): Promise<Imports | undefined> {
    return this.#store.imports();
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) {
      await this.#pool.end();
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
