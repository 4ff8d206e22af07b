import { sql } from 'kysely';
import type { Migrations } from '../../database/sqlite/migrate.ts';
import type pg from 'pg';
import { migratePostgres } from '../../database/postgres/migrate-postgres.ts';

/** Columns of `audit_event` copied from the body for searching; verification compares them with the body. */
export const bodyColumns: Readonly<Record<string, 'text' | 'bigint'>> = {
  recorded_at_us: 'bigint',
  server_id: 'text',
  team_id: 'text',
  actor_type: 'text',
  actor_id: 'text',
  role: 'text',
  key_id: 'text',
  session_id: 'text',
  operation: 'text',
  data_category: 'text',
  decision: 'text',
  reason_code: 'text',
  http_status: 'bigint',
  purpose_of_use: 'text',
  break_glass_id: 'text',
  order_id: 'text',
  record_count: 'bigint',
  request_id: 'text',
  client_ip: 'text',
  device_id: 'text',
  policy_version: 'text',
};

export const auditTables = [
  'audit_log',
  'audit_event',
  'audit_patient',
  'audit_node',
  'audit_head',
  'audit_checkpoint',
] as const;

/** Body of the trigger function of all tables; verification compares it with the database. */
export const refusal = `
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end`;

/** Any number of logs, keyed by `log_id`. All tables are append-only, including the heads: one row per commit. */
const auditTablesMigrations: Migrations = {
  '001-logs': {
    up: async (db) => {
      for (const statement of statements()) {
        await sql.raw(statement).execute(db);
      }
    },
  },
};

function statements(): string[] {
  const columns = Object.entries(bodyColumns).map(([name, type]) => `${name} ${type}`);
  // "C": byte order, as in the body.
  return [
    `create table audit_log (
       log_id text collate "C" primary key, origin text not null, verifier_key text not null,
       created_at_us bigint not null)`,
    // A verifier key ends with the public key, by which an instance finds the logs that it can sign.
    `create index audit_log_key on audit_log (right(verifier_key, 44))`,
    // Body and salt are null in records erased by a retention cut before the log was moved here.
    `create table audit_event (
       log_id text collate "C" not null, seq bigint not null check (seq >= 0),
       leaf_hash bytea not null check (length(leaf_hash) = 32),
       salt bytea check (length(salt) = 16),
       body text,
       ${columns.join(', ')},
       primary key (log_id, seq),
       check ((body is null) = (salt is null)))`,
    `create index audit_event_team on audit_event (team_id, recorded_at_us, log_id, seq)`,
    `create index audit_event_actor on audit_event (actor_id, recorded_at_us, log_id, seq)`,
    `create index audit_event_operation on audit_event (operation, recorded_at_us, log_id, seq)`,
    `create table audit_patient (
       log_id text collate "C" not null, seq bigint not null, user_id text collate "C" not null,
       primary key (log_id, seq, user_id))`,
    `create index audit_patient_user on audit_patient (user_id, log_id, seq)`,
    // Level 0 is audit_event.leaf_hash.
    `create table audit_node (
       log_id text collate "C" not null, level smallint not null check (level > 0), idx bigint not null,
       hash bytea not null check (length(hash) = 32), primary key (log_id, level, idx))`,
    `create table audit_head (
       log_id text collate "C" not null, size bigint not null check (size >= 0),
       root bytea not null check (length(root) = 32), primary key (log_id, size))`,
    `create table audit_checkpoint (
       log_id text collate "C" not null, size bigint not null, note text not null,
       primary key (log_id, size))`,
    `create function audit_refuse() returns trigger language plpgsql as $refusal$${refusal}$refusal$`,
    ...auditTables.flatMap((table) => [
      `create trigger ${table}_append_only before update or delete or truncate on ${table}
       for each statement execute function audit_refuse()`,
      // Otherwise sessions with session_replication_role = replica would bypass it.
      `alter table ${table} enable always trigger ${table}_append_only`,
    ]),
  ];
}

/** Creates or migrates the tables of the audit log (schema `audit`). @throws StoreTooNewError */
export async function migrateAudit(pool: pg.Pool): Promise<void> {
  await migratePostgres(pool, 'audit', auditTablesMigrations);
}
