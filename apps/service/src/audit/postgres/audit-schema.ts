import { auditMigrations } from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import { statements, type Migrations } from '../../database/sqlite/migrate.ts';

/** The tables of the audit log, as the library has them. */
const migrations: Migrations = Object.fromEntries(
  Object.entries(auditMigrations).map(([name, texts]) => [name, statements(texts)]),
);

/** Creates or migrates the tables of the audit log (schema `audit`). @throws StoreTooNewError */
export async function migrateAudit(pool: pg.Pool): Promise<void> {
  await migratePostgres(pool, 'audit', migrations);
}
