import { sql, type Kysely } from 'kysely';
import type { Migrations } from '../../../database/sqlite/migrate.ts';

/** PostgreSQL schema of the health data. */
export const storeSchema = 'store';

/**
 * The same tables and columns as in SQLite (`StoreSchema`): one class reads both. They are hash-partitioned as finely as
 * their unique keys allow: users by team (`client_user_id` is unique in it), lab results by team (`order_id`), insurances,
 * points and their sources by team and user. Text is compared byte by byte, whatever the collation of the database.
 */
export const postgresStoreMigrations: Migrations = {
  '001-tables': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of firstTables) {
        await sql.raw(statement).execute(db);
      }
    },
  },
  '002-sources': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of sourcesTable) {
        await sql.raw(statement).execute(db);
      }
    },
  },
};

const byTeam = 8;
const byUser = 16;

const firstTables = [
  `create table users (
    team_id bytea not null check (length(team_id) = 16),
    user_id bytea not null check (length(user_id) = 16),
    client_user_id text collate "C" not null,
    created_us bigint not null,
    body text not null,
    primary key (team_id, user_id),
    constraint users_by_client_user_id unique (team_id, client_user_id)
  ) partition by hash (team_id)`,
  'create unique index users_in_order on users (team_id, created_us, user_id)',
  ...partitions('users', byTeam),
  `create table user_totals (
    team_id bytea not null primary key,
    total bigint not null check (total >= 0)
  )`,
  `create table user_ranks (
    team_id bytea not null,
    position bigint not null check (position > 0),
    created_us bigint not null,
    user_id bytea not null,
    primary key (team_id, position)
  )`,
  `create table lab_results (
    team_id bytea not null,
    order_id bytea not null check (length(order_id) = 16),
    user_id bytea not null,
    body text not null,
    primary key (team_id, order_id),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) partition by hash (team_id)`,
  ...partitions('lab_results', byTeam),
  `create table insurances (
    team_id bytea not null,
    user_id bytea not null,
    is_primary smallint not null check (is_primary in (0, 1)),
    recorded_us bigint not null,
    body text not null,
    primary key (team_id, user_id, is_primary, recorded_us),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) partition by hash (team_id, user_id)`,
  ...partitions('insurances', byUser),
  // No foreign key here: the import checks the user once per line, not once per point.
  `create table mindfulness_minutes (
    team_id bytea not null,
    user_id bytea not null,
    start_us bigint not null,
    provider text collate "C" not null,
    type text collate "C" not null,
    end_us bigint not null,
    body text not null,
    primary key (team_id, user_id, start_us, provider, type, end_us)
  ) partition by hash (team_id, user_id)`,
  ...partitions('mindfulness_minutes', byUser),
];

const sourcesTable = [
  `create table mindfulness_sources (
    team_id bytea not null,
    user_id bytea not null,
    provider text collate "C" not null,
    type text collate "C" not null,
    body text not null,
    primary key (team_id, user_id, provider, type),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) partition by hash (team_id, user_id)`,
  ...partitions('mindfulness_sources', byUser),
];

function partitions(table: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) =>
      `create table ${table}_${n} partition of ${table}
        for values with (modulus ${count}, remainder ${n})`,
  );
}
