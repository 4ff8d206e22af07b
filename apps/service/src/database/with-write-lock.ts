import { sql, type Kysely } from 'kysely';

/** Locks at the start: a transaction that reads before it writes would fail with SQLITE_BUSY after a write of another process. */
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

/** The same on PostgreSQL, with the advisory lock of this name. Not used per request. */
export function advisoryLock(name: string): WithWriteLock {
  return async (db, body) =>
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
      return await body(transaction);
    });
}

export type WithWriteLock = typeof withWriteLock;
