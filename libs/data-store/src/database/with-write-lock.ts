import { sql, type Kysely } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite/sqlite-errors.ts';

/** Time in milliseconds to wait for another process's write lock, and between two attempts. */
const LOCK_WAIT_MS = 10_000;
const RETRY_MS = 10;

/**
 * Runs a transaction that takes the write lock at its start, since one that reads first fails with SQLITE_BUSY after
 * another process's write. Waits for the lock without blocking the event loop or the connection, since a process that
 * holds it may itself be waiting for this one to write an audit record.
 */
export async function withWriteLock<DB, Result>(
  db: Kysely<DB>,
  body: (transaction: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const done = await db.connection().execute(async (connection) => {
      if (!(await tryToLock(connection, performance.now() < until))) {
        return undefined;
      }
      try {
        const result = await body(connection);
        await sql`commit`.execute(connection);
        return { result };
      } catch (error) {
        try {
          await sql`rollback`.execute(connection);
        } catch (failure) {
          // On a full disk, SQLite has already rolled back, so the rollback fails.
          throw isUndone(failure) ? error : Object.assign(failure as Error, { cause: error });
        }
        throw error;
      }
    });
    if (done !== undefined) {
      return done.result;
    }
    await sleep(RETRY_MS);
  }
}

/** @returns whether it has the lock @throws SQLite's error if another process has the lock and `mayRetry` is false */
async function tryToLock<DB>(connection: Kysely<DB>, mayRetry: boolean): Promise<boolean> {
  try {
    await sql`begin immediate`.execute(connection);
    return true;
  } catch (error) {
    if (isBusy(error) && mayRetry) {
      return false;
    }
    throw error;
  }
}

function isUndone(failure: unknown): boolean {
  return (failure as Error).message.includes('no transaction is active');
}

/** The same for PostgreSQL, with an advisory lock of this name. Not used for requests. */
export function createAdvisoryLock(name: string): WithWriteLock {
  return async (db, body) =>
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
      return await body(transaction);
    });
}

export type WithWriteLock = typeof withWriteLock;
