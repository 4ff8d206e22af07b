import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { withWriteLock } from './with-write-lock.ts';

describe('a transaction that fails', () => {
  const fault = new Error('the fault');

  it('fails with its own error where SQLite has already rolled back', async () => {
    const db = openSqlite(':memory:');
    const work = withWriteLock(db, async (transaction) => {
      await sql`rollback`.execute(transaction);
      throw fault;
    });
    await expect(work).rejects.toBe(fault);
    expect(await withWriteLock(db, () => Promise.resolve(1))).toBe(1);
    await db.destroy();
  });

  it('fails with its own error where it cannot be rolled back', async () => {
    const db = openSqlite(':memory:');
    const work = withWriteLock(db, async () => {
      await db.destroy();
      throw fault;
    });
    await expect(work).rejects.toBe(fault);
  });
});
