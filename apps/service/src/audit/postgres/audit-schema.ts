import { logTables } from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';
import { statements, type Migrations } from '../../database/sqlite/migrate.ts';

export const recordColumns = {
  recorded_at_us: 'bigint',
  team_id: 'text',
  actor_id: 'text',
  operation: 'text',
  decision: 'text',
  // An array with an inverted index costs 8 bytes a patient; rows cost 350.
  patients: 'smallint[]',
} as const;

const indexes = [
  ...['team_id', 'actor_id', 'operation'].map(
    (name) =>
      `create index audit_event_${name} on audit_event (${name}, recorded_at_us, log_id, seq)`,
  ),
  // Without fastupdate no insert pays for the pending ones of others.
  'create index audit_event_patients on audit_event using gin (patients) with (fastupdate = off)',
];

const migrations: Migrations = {
  '001-logs': statements([...logTables(recordColumns), ...indexes]),
};

/** @throws StoreTooNewError */
export async function migrateAudit(pool: pg.Pool): Promise<void> {
  await migratePostgres(pool, 'audit', migrations);
}
