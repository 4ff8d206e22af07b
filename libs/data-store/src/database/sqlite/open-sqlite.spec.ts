import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, openSqliteReader } from './open-sqlite.ts';

interface Schema {
  things: { id: number; name: string | null; kept: Uint8Array | null };
}
const things = sql`create table things (id integer primary key, name text, kept blob) strict`;

describe('a SQLite file', () => {
  it('is durable, in WAL mode, with foreign keys and no trust in its schema', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-store-'));
    const db = openSqlite<Schema>(join(folder, 'store.db'));
    const pragma = async (name: string): Promise<unknown> => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('trusted_schema')).toBe(0);
    expect(await pragma('busy_timeout')).toBe(0);
    await db.destroy();
    rmSync(folder, { recursive: true });
  });

  it('holds up a reader 50 ms at most, while another process has it locked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-store-'));
    const file = join(folder, 'store.db');
    const { db, close } = openSqliteReader<Schema>(file);
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(db);
    expect(rows).toEqual([{ timeout: 50 }]);
    await expect(things.execute(db)).rejects.toThrow('readonly');
    await close();
    rmSync(folder, { recursive: true });
  });
});
