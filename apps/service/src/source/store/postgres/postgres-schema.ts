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
  '003-people-and-orders': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of peopleTables) {
        await sql.raw(statement).execute(db);
      }
    },
  },
  '004-imports': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await sql.raw(importsTable).execute(db);
    },
  },
  '005-people-by-the-list': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await sql.raw(collectTokens).execute(db);
    },
  },
  '006-people-by-token-alone': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of keyOfPeople) {
        await sql.raw(statement).execute(db);
      }
    },
  },
  '007-people-by-every-spelling': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      // From here on a name is found by every word that it asks for when it is typed; see `spellingsOf`.
      await sql`insert into unfilled select 'people' where exists (select 1 from users)
        on conflict do nothing`.execute(db);
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

const importsTable = `create table if not exists imports (
    id smallint primary key check (id = 1),
    files bigint not null,
    last_us bigint not null
  )`;

const peopleTables = [
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
  `create table people (
    team_id bytea not null,
    user_id bytea not null,
    facts text not null,
    tokens integer[] not null,
    primary key (team_id, user_id)
  ) partition by hash (team_id)`,
  // Changed below: the list of pending entries is one that every search has to read through.
  'create index people_by_token on people using gin (tokens) with (fastupdate = off)',
  ...partitions('people', byTeam),
  'create table unfilled (what text primary key)',
  // An older store has people and results that are in none of these tables; see `fill`.
  `insert into unfilled select 'people' where exists (select 1 from users)`,
];

/**
 * Tokens are collected and put into the index sorted, many at once: one by one they took half of an import's time. A search
 * reads through what is collected, so an import keeps that short and leaves nothing behind (`indexPending`).
 */
const collectTokens = `
  do $$
    declare part regclass;
    begin
      for part in select inhrelid from pg_inherits where inhparent = 'people_by_token'::regclass loop
        execute format('alter index %s set (fastupdate = on)', part);
      end loop;
    end
  $$`;

/**
 * With the team first, a search of a store without statistics (after its first import) read the ids of all people of the
 * team through this key, to compare them with the few that have the tokens.
 */
const keyOfPeople = [
  'alter table people drop constraint people_pkey',
  'alter table people add primary key (user_id, team_id)',
];

function partitions(table: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) =>
      `create table ${table}_${n} partition of ${table}
        for values with (modulus ${count}, remainder ${n})`,
  );
}
