import { sql, type Kysely } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite/sqlite-errors.ts';

/** How long to wait for the write lock of another process, and between two tries, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
const RETRY_MS = 10;

/**
 * Locks at the start: a transaction that reads before it writes would fail with SQLITE_BUSY after a write of another process. Waits for
 * the lock without holding up the event loop or the connection: other processes hold it while they wait for this one to record.
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
          // On a full disk SQLite has already rolled back, and says that there is nothing to undo.
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

/** @returns whether it has the lock. @throws the error of SQLite if another process has it and `mayRetry` is false */
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

/** The same on PostgreSQL, with the advisory lock of this name. Not used per request. */
export function advisoryLock(name: string): WithWriteLock {
  return async (db, body) =>
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
      return await body(transaction);
    });
}

export type WithWriteLock = typeof withWriteLock;
