import type { CompiledQuery, Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { currentTrace } from '../../trace/request-trace.ts';
import type { Prepare } from '../prepared-query.ts';

const names = new Map<string, string>();

/**
 * A pool for Kysely with prepared statements: only for statements with a fixed text. Sessions carry the trace of their
 * request. Does not close the given pool.
 */
export function preparedPool(pool: pg.Pool): PostgresPool {
  // One wrapper per connection, since Kysely keeps state by object identity.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      await nameSession(client, pool.options.application_name);
      const known = clients.get(client) ?? prepared(client);
      clients.set(client, known);
      return known;
    },
    end: () => Promise.resolve(),
  };
}

export function prepareOnPostgres(db: Pick<Kysely<unknown>, 'executeQuery'>): Prepare {
  return <Row>(query: CompiledQuery<Row>) => {
    const rows = async (parameters: readonly unknown[]): Promise<Row[]> =>
      (await db.executeQuery<Row>({ ...query, parameters })).rows;
    return { rows, first: async (parameters) => (await rows(parameters))[0] };
  };
}

const named = new WeakMap<pg.PoolClient, string>();

/** Shows the trace in `pg_stat_activity` and in the log of the server. */
async function nameSession(client: pg.PoolClient, name = 'caregate'): Promise<void> {
  const trace = currentTrace();
  const wanted = trace?.isSampled === true ? `${name} ${trace.traceId}` : name;
  if ((named.get(client) ?? name) === wanted) {
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

function prepared(client: pg.PoolClient): PostgresPoolClient {
  return {
    query: ((text: string, values: unknown[]) =>
      // Not worth it for `begin` and `commit`.
      client.query(values.length === 0 ? { text } : { name: nameOf(text), text, values })) as never,
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
