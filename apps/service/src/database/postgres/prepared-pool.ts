import type { CompiledQuery, PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { currentTrace } from '../../trace/request-trace.ts';
import type { Prepare } from '../prepared-query.ts';
import { withRetries } from './retry-reads.ts';

const names = new Map<string, string>();

/** Prepares each statement: only for those with a fixed text. Does not close the given pool. */
export function preparedPool(pool: pg.Pool): PostgresPool {
  // One wrapper per connection, since Kysely keeps state by object identity.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      await nameSession(client, pool.options.application_name);
      const known = clients.get(client) ?? prepared(client, pool);
      clients.set(client, known);
      return known;
    },
    end: () => Promise.resolve(),
  };
}

/** Statements that bypass Kysely, which takes as long as the driver. */
export function prepareOnPostgres(pool: pg.Pool): Prepare {
  return <Row>({ sql: text }: CompiledQuery<Row>) => {
    const name = nameOf(text);
    const read = async (parameters: readonly unknown[]): Promise<Row[]> => {
      const client = await pool.connect();
      if (isNamedOtherwise(client, pool.options.application_name)) {
        await nameSession(client, pool.options.application_name);
      }
      try {
        const values = parameters as unknown[];
        return (await client.query<Row & pg.QueryResultRow>({ name, text, values })).rows;
      } finally {
        client.release();
      }
    };
    const rows = (parameters: readonly unknown[]): Promise<Row[]> =>
      withRetries(() => read(parameters));
    return { rows, first: async (parameters) => (await rows(parameters))[0] };
  };
}

const named = new WeakMap<pg.PoolClient, string>();

/** Shows the trace in `pg_stat_activity` and in the log of the server. */
async function nameSession(client: pg.PoolClient, name = 'caregate'): Promise<void> {
  const wanted = wantedName(name);
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

function isNamedOtherwise(client: pg.PoolClient, name = 'caregate'): boolean {
  return (named.get(client) ?? name) !== wantedName(name);
}

function wantedName(name: string): string {
  const trace = currentTrace();
  return trace?.isSampled === true ? `${name} ${trace.traceId}` : name;
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
