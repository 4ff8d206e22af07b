import { statements, type Migrations } from '../../../database/sqlite/migrate.ts';

/** PostgreSQL schema of the health data. */
export const storeSchema = 'store';

const byTeam = 8;
const byUser = 16;

/**
 * The same tables and columns as in SQLite (`StoreSchema`): one class reads both. They are hash-partitioned as finely as
 * their unique keys allow: users by team (`client_user_id` is unique in it), lab results by team (`order_id`), insurances,
 * points and their sources by team and user. Text is compared byte by byte, whatever the collation of the database.
 */
const tables = [
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
  `create table imports (
    id smallint primary key check (id = 1),
    files bigint not null,
    last_us bigint not null
  )`,
  `create table user_infos (
    team_id bytea not null,
    user_id bytea not null,
    recorded_us bigint not null,
    body text not null,
    primary key (team_id, user_id, recorded_us),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) partition by hash (team_id, user_id)`,
  ...partitions('user_infos', byUser),
  `create table imported_orders (
    team_id bytea not null,
    order_id bytea not null check (length(order_id) = 16),
    user_id bytea not null,
    body text not null,
    primary key (team_id, order_id),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) partition by hash (team_id)`,
  ...partitions('imported_orders', byTeam),
  `create table orders (
    team_id bytea not null,
    order_id bytea not null check (length(order_id) = 16),
    user_id bytea not null,
    created_us bigint not null,
    updated_us bigint not null,
    low_level_status text collate "C" not null,
    interpretation text collate "C" not null,
    patient_key text collate "C" not null,
    birth_dates text collate "C" not null,
    person text not null,
    body text not null,
    primary key (team_id, order_id),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) partition by hash (team_id)`,
  'create index orders_by_creation on orders (team_id, created_us, order_id)',
  'create index orders_of_user on orders (team_id, user_id, created_us)',
  ...partitions('orders', byTeam),
  `create table lab_result_versions (
    team_id bytea not null,
    order_id bytea not null,
    version integer not null,
    replaced_us bigint not null,
    body text not null,
    primary key (team_id, order_id, version),
    foreign key (team_id, order_id) references lab_results (team_id, order_id)
  ) partition by hash (team_id)`,
  ...partitions('lab_result_versions', byTeam),
  // With the team first in its key, a search of a store without statistics read the ids of all people of the team.
  `create table people (
    team_id bytea not null,
    user_id bytea not null,
    facts text not null,
    tokens integer[] not null,
    primary key (user_id, team_id)
  ) partition by hash (team_id)`,
  // Tokens are collected and put into the index sorted, many at once: one by one they took half of an import's time. A search
  // reads through what is collected, so an import keeps that short and leaves nothing behind (`indexPending`).
  'create index people_by_token on people using gin (tokens)',
  ...partitions('people', byTeam),
];

export const postgresStoreMigrations: Migrations = { '001-tables': statements(tables) };

function partitions(table: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) =>
      `create table ${table}_${n} partition of ${table}
        for values with (modulus ${count}, remainder ${n})`,
  );
}
