import { describe, expect, it } from '@jest/globals';
import { DummyDriver, Kysely, SqliteAdapter, SqliteQueryCompiler } from 'kysely';
import type { StoreSchema } from './schema.ts';
import { storeQueries } from './store-queries.ts';

const db = new Kysely<StoreSchema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: () => {
      throw new Error('not needed');
    },
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

describe('the statements of the store', () => {
  it('have no number of rows that SQLite would prepare them again for, each time they are asked', () => {
    const statements: string[] = [];
    const queries = storeQueries({
      db,
      adHoc: db,
      prepare: (query) => {
        statements.push(query.sql);
        return { rows: () => [], first: () => undefined };
      },
    });
    queries.points({ userId: '', fromUs: 0, limit: 1 });
    expect(statements.filter((text) => / limit /u.test(text))).not.toHaveLength(0);
    expect(statements.filter((text) => /(?:limit|offset) \?/u.test(text))).toEqual([]);
  });
});
