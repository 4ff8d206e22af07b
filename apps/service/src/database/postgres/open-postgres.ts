import { OperatorError } from '../../config/operator-error.ts';
import { Kysely, PostgresDialect } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isTransient, reasonOf } from './postgres-errors.ts';

export interface PostgresOptions {
  /** What `pg_stat_activity` shows, as `caregate serve`. */
  readonly applicationName: string;
  /** Connections at most. */
  readonly connections: number;
  /** Longest statement, in milliseconds; 0: no end, for an import. */
  readonly statementTimeoutMs: number;
  /** Longest wait for a connection, a free one of the pool too, in milliseconds. */
  readonly connectTimeoutMs: number;
}

/** The database does not answer, or not with yes. The message names its host and the reason, never the password. */
export class PostgresUnavailableError extends OperatorError {
  override readonly name = 'PostgresUnavailableError';
}

/** PostgreSQL's `bigint`. */
const int8 = 20;

const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);

/**
 * A pool of connections to the database of `url`. It connects when it is first asked; a connection that breaks is
 * dropped and the next query has another. A 64-bit integer comes as a number, which all of ours fit.
 */
export function openPostgres(url: string, options: PostgresOptions): pg.Pool {
  const { applicationName, connections, statementTimeoutMs, connectTimeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    // Idle ones stay a while: a new one costs more than most queries here.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      // Of a server that is gone without a word: it had its time, and a moment more.
      query_timeout: statementTimeoutMs + 1000,
      idle_in_transaction_session_timeout: 60_000,
    }),
    types,
  });
  // A connection that breaks fails the statement that runs on it, which is how it is heard of. Between two statements
  // nothing runs, and an error that nobody listens to would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

/** Kysely on a pool that others use too: it is the pool that is closed at the end, not this. */
export function kyselyOver<DB>(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Waits until the database answers, `waitMs` at most: at a start of all machines the service may be first. What no
 * waiting mends (a wrong password, no such database) is thrown at once.
 *
 * @param onWaiting called once, with the reason, when the first try has failed
 * @throws PostgresUnavailableError
 */
export async function waitForPostgres(
  pool: pg.Pool,
  waitMs: number,
  onWaiting?: (reason: string) => void,
): Promise<void> {
  const until = performance.now() + waitMs;
  for (let told = false; ; told = true) {
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      const reason = `PostgreSQL at ${addressOf(pool)} cannot be used: ${reasonOf(error)}.`;
      if (!isTransient(error)) {
        throw new PostgresUnavailableError(reason, 1, error);
      }
      if (performance.now() >= until) {
        const waited = `${reason} It was waited for ${(waitMs / 1000).toFixed(0)} s.`;
        throw new PostgresUnavailableError(waited, 1, error);
      }
      if (!told) {
        onWaiting?.(reason);
      }
      await sleep(200);
    }
  }
}

/** Host, port and database of a pool, for messages. */
export function addressOf(pool: pg.Pool): string {
  const { host, port, database } = new pg.Client(pool.options);
  return `${host}:${port}/${database ?? ''}`;
}
