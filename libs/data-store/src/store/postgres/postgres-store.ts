import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { storeSchema, type StoreSchema } from '../schema.ts';
import { SqlStore } from '../sql-store.ts';
import { postgresPeopleIndex } from '../people/people-index.ts';
import {
  preparedPool,
  retryingPool,
  type SampledTraceId,
} from '../../database/postgres/prepared-pool.ts';

export function postgresStore(pool: pg.Pool, traceId?: SampledTraceId): SqlStore {
  const dialect = new PostgresDialect({ pool: preparedPool(pool, traceId) });
  const db = new Kysely<StoreSchema>({ dialect }).withSchema(storeSchema);
  const adHoc = new Kysely<StoreSchema>({
    dialect: new PostgresDialect({ pool: retryingPool(pool, traceId) }),
  });
  return new SqlStore({
    ...{ db, adHoc: adHoc.withSchema(storeSchema), people: postgresPeopleIndex },
    close: async () => {
      if (!pool.ending) {
        await pool.end();
      }
    },
  });
}
