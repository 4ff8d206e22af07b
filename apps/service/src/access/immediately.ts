import { sql, type Kysely } from 'kysely';

/**
 * A transaction that holds the write lock from its beginning: one that reads first and then writes would fail at once
 * where another process has written in between, instead of waiting its turn.
 */
export async function immediately<DB, Result>(
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
