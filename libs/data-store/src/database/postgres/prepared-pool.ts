import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './postgres-errors.ts';

const names = new Map<string, string>();

/** Returns the trace of the current request if it is sampled. */
export type SampledTraceId = () => string | undefined;

/**
 * Wraps a pool so that it prepares each statement. Use it only for statements with a fixed text. Doesn't close the
 * given pool.
 */
export function preparedPool(pool: pg.Pool, traceId?: SampledTraceId): PostgresPool {
  return retryingPool(pool, traceId, (text) => nameStatement(text));
}

/**
 * Wraps a pool so that it retries reads whose connection is broken. Doesn't close the given pool. @param nameFor
 * returns the name under which to prepare a statement
 */
export function retryingPool(
  pool: pg.Pool,
  traceId?: SampledTraceId,
  nameFor?: (text: string) => string,
): PostgresPool {
  // One wrapper for each connection, since Kysely keeps state by object identity.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await withRetries(async () => {
        const connected = await pool.connect();
        await nameSession(connected, wantedName(pool, traceId), pool);
        return connected;
      });
      const wrapper = clients.get(client) ?? retryingClient(client, pool, nameFor);
      clients.set(client, wrapper);
      return wrapper;
    },
    end: () => Promise.resolve(),
  };
}

const named = new WeakMap<pg.PoolClient, string>();

/** Sets the name of the session to the trace, which `pg_stat_activity` and the server's log then show. */
async function nameSession(client: pg.PoolClient, wanted: string, pool: pg.Pool): Promise<void> {
  if (nameOfSession(client, pool) === wanted) {
    return;
  }
  try {
    await client.query("select set_config('application_name', $1, false)", [wanted]);
    named.set(client, wanted);
  } catch (error) {
    // Treat it as a broken connection: the pool replaces it, and the read is retried on another one.
    client.release(true);
    throw error;
  }
}

function nameOfSession(client: pg.PoolClient, pool: pg.Pool): string {
  return named.get(client) ?? nameOfPool(pool);
}

function wantedName(pool: pg.Pool, traceId?: SampledTraceId): string {
  const id = traceId?.();
  return id === undefined ? nameOfPool(pool) : `${nameOfPool(pool)} ${id}`;
}

function nameOfPool({ options }: pg.Pool): string {
  return options.application_name ?? 'caregate';
}

function retryingClient(
  client: pg.PoolClient,
  pool: pg.Pool,
  nameFor: ((text: string) => string) | undefined,
): PostgresPoolClient {
  let isInTransaction = false;
  return {
    query: (async (text: string, values: unknown[]) => {
      // Preparing `begin` and `commit` would gain nothing.
      const name = values.length === 0 ? undefined : nameFor?.(text);
      const query = { ...(name !== undefined && { name }), text, values };
      if (/^(?:begin|start transaction)/u.test(text)) {
        isInTransaction = true;
      } else if (text === 'commit' || text === 'rollback') {
        isInTransaction = false;
      }
      if (isInTransaction || !text.startsWith('select ')) {
        return await client.query(query);
      }
      let on: pg.PoolClient | pg.Pool = client;
      return await withRetries(() => {
        const current = on;
        // A single read can be retried on another connection, a transaction can't.
        on = pool;
        return current.query(query);
      });
    }) as never,
    release: (destroy) => {
      client.release(destroy);
    },
  };
}

function nameStatement(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `caregate_${names.size}`;
    names.set(text, name);
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
