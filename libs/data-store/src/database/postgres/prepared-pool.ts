import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './postgres-errors.ts';

const statementNames = new Map<string, string>();

/** Returns the trace of the current request if it is sampled. */
export type SampledTraceId = () => string | undefined;

/**
 * Wraps a pool so that it prepares each statement. Use it only for statements with a fixed text. Doesn't close the
 * given pool.
 */
export function createPreparedPool(pool: pg.Pool, traceId?: SampledTraceId): PostgresPool {
  return createRetryingPool(pool, traceId, (text) => nameStatement(text));
}

/**
 * Wraps a pool so that it retries reads whose connection is broken. Doesn't close the given pool. @param getStatementName
 * returns the name under which to prepare a statement
 */
export function createRetryingPool(
  pool: pg.Pool,
  traceId?: SampledTraceId,
  getStatementName?: (text: string) => string,
): PostgresPool {
  // One wrapper for each connection, since Kysely keeps state by object identity.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await withRetries(async () => {
        const connected = await pool.connect();
        await nameSession(connected, buildSessionName(pool, traceId), pool);
        return connected;
      });
      const wrapper = clients.get(client) ?? createRetryingClient(client, pool, getStatementName);
      clients.set(client, wrapper);
      return wrapper;
    },
    end: () => Promise.resolve(),
  };
}

const sessionNames = new WeakMap<pg.PoolClient, string>();

/** Sets the name of the session to the trace, which `pg_stat_activity` and the server's log then show. */
async function nameSession(
  client: pg.PoolClient,
  sessionName: string,
  pool: pg.Pool,
): Promise<void> {
  if (getSessionName(client, pool) === sessionName) {
    return;
  }
  try {
    await client.query("select set_config('application_name', $1, false)", [sessionName]);
    sessionNames.set(client, sessionName);
  } catch (error) {
    // Treat it as a broken connection: the pool replaces it, and the read is retried on another one.
    client.release(true);
    throw error;
  }
}

function getSessionName(client: pg.PoolClient, pool: pg.Pool): string {
  return sessionNames.get(client) ?? getPoolName(pool);
}

function buildSessionName(pool: pg.Pool, traceId?: SampledTraceId): string {
  const id = traceId?.();
  return id === undefined ? getPoolName(pool) : `${getPoolName(pool)} ${id}`;
}

function getPoolName({ options }: pg.Pool): string {
  return options.application_name ?? 'caregate';
}

function createRetryingClient(
  client: pg.PoolClient,
  pool: pg.Pool,
  getStatementName: ((text: string) => string) | undefined,
): PostgresPoolClient {
  let isInTransaction = false;
  return {
    query: (async (text: string, values: unknown[]) => {
      // Preparing `begin` and `commit` would gain nothing.
      const name = values.length === 0 ? undefined : getStatementName?.(text);
      const query = { ...(name !== undefined && { name }), text, values };
      if (/^(?:begin|start transaction)/u.test(text)) {
        isInTransaction = true;
      } else if (text === 'commit' || text === 'rollback') {
        isInTransaction = false;
      }
      if (isInTransaction || !text.startsWith('select ')) {
        return await client.query(query);
      }
      let target: pg.PoolClient | pg.Pool = client;
      return await withRetries(() => {
        const current = target;
        // A single read can be retried on another connection, a transaction can't.
        target = pool;
        return current.query(query);
      });
    }) as never,
    release: (destroy) => {
      client.release(destroy);
    },
  };
}

function nameStatement(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `caregate_${statementNames.size}`;
    statementNames.set(text, name);
  }
  return name;
}

/** Delays in milliseconds before the retries of a read. A connection may be broken, or a failover in progress. */
const retryDelaysMs = [0, 100, 400, 1000];
/**
 * Time in milliseconds after which reads are no longer retried. With an unresponsive host, every attempt takes its
 * full timeout.
 */
const retryLimitMs = 3000;

/** Retries a read on another connection if its own is broken. This is safe, since reads are idempotent. */
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
