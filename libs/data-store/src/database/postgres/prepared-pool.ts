import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './postgres-errors.ts';

const names = new Map<string, string>();

/** Returns the trace of the current request if it is sampled. */
export type SampledTraceId = () => string | undefined;

/** Prepares each statement: only for those with a fixed text. Does not close the given pool. */
export function preparedPool(pool: pg.Pool, traceId?: SampledTraceId): PostgresPool {
  return retryingPool(pool, traceId, (text) => nameOf(text));
}

/** Retries reads whose connection is broken. Does not close the given pool. @param nameFor names the statements to prepare */
export function retryingPool(
  pool: pg.Pool,
  traceId?: SampledTraceId,
  nameFor?: (text: string) => string,
): PostgresPool {
  // One wrapper per connection, since Kysely keeps state by object identity.
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

/** Shows the trace in `pg_stat_activity` and in the log of the server. */
async function nameSession(client: pg.PoolClient, wanted: string, pool: pg.Pool): Promise<void> {
  if (nameOfSession(client, pool) === wanted) {
    return;
  }
  try {
    await client.query("select set_config('application_name', $1, false)", [wanted]);
    named.set(client, wanted);
  } catch (error) {
    // As for a broken connection: it is replaced, and the read is retried on another one.
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
      // Not worth it for `begin` and `commit`.
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
        // The connection of a transaction can't be replaced, that of a read alone can.
        on = pool;
        return current.query(query);
      });
    }) as never,
    release: (destroy) => {
      client.release(destroy);
    },
  };
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `caregate_${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** Delays before the retries of a read: a connection may be broken, or a failover in progress. */
const retryDelaysMs = [0, 100, 400, 1000];
/** No retries after this time: with an unresponsive host, every attempt takes its full timeout. */
const retryLimitMs = 3000;

/** A read whose connection is broken is retried on another one, which is safe since reads are idempotent. */
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
