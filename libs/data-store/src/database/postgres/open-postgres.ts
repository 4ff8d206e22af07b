import { OperatorError } from '../../operator-error.ts';
import { Kysely, PostgresDialect } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isTransient, describeError } from './postgres-errors.ts';

/** Timeout in milliseconds of a statement, and of waiting for a connection. */
const TIMEOUT_MS = 10_000;

/** The database is unreachable. The message has host and reason, never the password. */
export class PostgresUnavailableError extends OperatorError {
  override readonly name = 'PostgresUnavailableError';
}

const int8 = 20;

const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);

/**
 * Opens a pool. 64-bit integers are returned as numbers, which is safe for all columns.
 *
 * @param statementTimeoutMs 0 for none, as imports need it
 */
export function openPostgres(
  url: string,
  applicationName: string,
  { connections = 1, statementTimeoutMs = TIMEOUT_MS } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connections,
    connectionTimeoutMillis: TIMEOUT_MS,
    // A new connection takes longer than most queries, so keep idle ones.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      // For an unresponsive server: slightly longer than the server's own timeout.
      query_timeout: statementTimeoutMs + 1000,
      idle_in_transaction_session_timeout: 60_000,
    }),
    types,
  });
  // Without a listener, the error of an idle connection would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  pools.forEach((each) => each.ended && pools.delete(each));
  pools.add(pool);
  return pool;
}

/** Runs `work` with a pool of one connection, and closes it. */
export async function withPostgres<T>(
  url: string,
  applicationName: string,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const pool = openPostgres(url, applicationName);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const pools = new Set<pg.Pool>();

interface PoolUsage {
  readonly name: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Returns the use of each pool. Pools with the same name are added up. */
export function getPoolUsage(): readonly PoolUsage[] {
  const byName = new Map<string, PoolUsage>();
  for (const pool of [...pools].filter((each) => !each.ended)) {
    const name = pool.options.application_name ?? '';
    const { busy, idle, waiting } = byName.get(name) ?? { busy: 0, idle: 0, waiting: 0 };
    byName.set(name, {
      name,
      busy: busy + pool.totalCount - pool.idleCount,
      idle: idle + pool.idleCount,
      waiting: waiting + pool.waitingCount,
    });
  }
  return [...byName.values()];
}

/** Returns Kysely on a shared pool. Close the pool instead of it. */
export function createPostgresKysely<DB>(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Waits until the database is reachable. Throws immediately for permanent errors. @param onWaiting called once with
 * the reason @throws PostgresUnavailableError
 */
export async function waitForPostgres(
  pool: pg.Pool,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      const reason = `PostgreSQL at ${describeAddress(pool)} is not available: ${describeError(error)}.`;
      if (!isTransient(error)) {
        throw new PostgresUnavailableError(reason, 1, error);
      }
      if (performance.now() >= until) {
        const waited = `${reason} Gave up after ${(waitMs / 1000).toFixed(0)} s.`;
        throw new PostgresUnavailableError(waited, 1, error);
      }
      if (isFirst) {
        onWaiting?.(reason);
      }
      await sleep(200);
    }
  }
}

export function describeAddress(pool: pg.Pool): string {
  const { host, port, database } = new pg.Client(pool.options);
  return `${host}:${port}/${database ?? ''}`;
}

/** Whether a commit is confirmed only after a standby has it. */
export async function hasSynchronousStandby(db: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await db.query<{ waits: boolean }>(
    `select current_setting('synchronous_standby_names') <> '' as waits`,
  );
  return rows[0]?.waits === true;
}
