import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Texts of statements to their names: as many as the program has, a few dozen. */
const names = new Map<string, string>();

/**
 * A pool for Kysely whose statements are prepared: each connection parses a text once, and PostgreSQL may keep its plan.
 * Only for statements of fixed texts with values as parameters. Never closes the pool it is given.
 */
export function preparedPool(pool: pg.Pool): PostgresPool {
  // One wrapper a connection: Kysely keeps what it knows of a connection by the object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? prepared(client);
      clients.set(client, known);
      return known;
    },
    end: () => Promise.resolve(),
  };
}

function prepared(client: pg.PoolClient): PostgresPoolClient {
  return {
    query: ((text: string, values: unknown[]) =>
      // `begin` and `commit` gain nothing by it.
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
