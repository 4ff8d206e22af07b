import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { withRetries } from './retry-reads.ts';

const names = new Map<string, string>();

/** Returns the trace of the current request if it is sampled. */
export type SampledTraceId = () => string | undefined;

/** Prepares each statement: only for those with a fixed text. Does not close the given pool. */
export function preparedPool(pool: pg.Pool, traceId?: SampledTraceId): PostgresPool {
  // One wrapper per connection, since Kysely keeps state by object identity.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      await nameSession(client, wantedName(pool, traceId), pool);
      const known = clients.get(client) ?? prepared(client, pool);
      clients.set(client, known);
      return known;
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

function prepared(client: pg.PoolClient, pool: pg.Pool): PostgresPoolClient {
  let isInTransaction = false;
  return {
    query: (async (text: string, values: unknown[]) => {
      // Not worth it for `begin` and `commit`.
      const query = values.length === 0 ? { text } : { name: nameOf(text), text, values };
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
