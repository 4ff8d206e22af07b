import { auditMigrations } from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import { statements, type Migrations } from '../../database/sqlite/migrate.ts';

const migrations: Migrations = Object.fromEntries(
  Object.entries(auditMigrations).map(([name, texts]) => [name, statements(texts)]),
);

/** @throws StoreTooNewError */
export async function migrateAudit(pool: pg.Pool): Promise<void> {
  await migratePostgres(pool, 'audit', migrations);
}
