import { sql, type Kysely } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite/sqlite-errors.ts';

/** Time in milliseconds to wait for another process's write lock, and between two attempts. */
const LOCK_WAIT_MS = 10_000;
const RETRY_MS = 10;

/**
 * Runs a transaction of a database of `openSqlite`. It takes the write lock at its start, since one that reads first
 * fails with SQLITE_BUSY after another process's write. Waits for the lock without blocking the event loop or the
 * connection, since a process that holds it may itself be waiting for this one to write an audit record.
 */
export async function withWriteLock<DB, Result>(
  db: Kysely<DB>,
  body: (transaction: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const attempt = { hasLock: false };
    try {
      return await db.transaction().execute(async (transaction) => {
        attempt.hasLock = true;
        return await body(transaction);
      });
    } catch (error) {
      if (attempt.hasLock || !isBusy(error) || performance.now() >= until) {
        throw error;
      }
    }
    await sleep(RETRY_MS);
  }
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
