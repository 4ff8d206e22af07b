import { sql, type Kysely } from 'kysely';

/**
 * A transaction that holds the write lock from its beginning: one that reads first and then writes would fail at once
 * where another process has written in between, instead of waiting its turn.
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
 * The same on PostgreSQL: one such transaction at a time, whichever instance's, and it sees all that those before it
 * did. Nothing that is done for each request takes this lock.
 */
export async function inTurn<DB, Result>(
  db: Kysely<DB>,
  body: (transaction: Kysely<DB>) => Promise<Result>,
): Promise<Result> {
  return await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('caregate access', 0))`.execute(
      transaction,
    );
    return await body(transaction);
  });
}

/** A transaction that reads and then writes, while no other does. */
export type WithWriteLock = typeof withWriteLock;
