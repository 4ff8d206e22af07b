import { postgresTables } from '@caregate/audit-log';
import type pg from 'pg';
import { migratePostgres, type Migrations, statements } from '@caregate/data-store/database';
import { members } from '../record/record-body.ts';

const migrations: Migrations = { '001-logs': statements(postgresTables(members)) };

/** @throws StoreTooNewError */
export async function migrateAudit(pool: pg.Pool): Promise<void> {
  await migratePostgres(pool, 'audit', migrations);
}
