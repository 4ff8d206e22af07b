import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import { auditTablesMigrations } from './audit-tables.ts';

/** Makes the audit log's tables (schema `audit`) where they are missing. @throws StoreTooNewError */
export async function migrateAudit(pool: pg.Pool): Promise<void> {
  await migratePostgres(pool, 'audit', auditTablesMigrations);
}
