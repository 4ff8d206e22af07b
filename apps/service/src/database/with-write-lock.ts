import { sql, type Kysely } from 'kysely';

/**
 * Runs a transaction that acquires the write lock at its start: a transaction that reads before it writes would fail with
 * SQLITE_BUSY if another process has written in between.
 */
export async function withWriteLock<DB, Result>(
  db: Kysely<DB>,
  body: (transaction: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  return await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const result = await body(connection);
      await sql`commit`.execute(connection);
      return result;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

/**
 * The same on PostgreSQL with the advisory lock of this name: such transactions of all instances are serialized, and see
 * all changes of the previous ones. Not used per request.
 */
export function advisoryLock(name: string): WithWriteLock {
  return async (db, body) =>
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
      return await body(transaction);
    });
}

/** Runs a read-then-write transaction exclusively. */
export type WithWriteLock = typeof withWriteLock;
