import { statements, type Migrations } from '../../database/sqlite/migrate.ts';
import { staffTables } from '../staff-tables.ts';

// "C": in the order of the bytes, as SQLite has it.
const id = (length: number, name: string): string =>
  `text collate "C" not null check (length(${name}) = ${length})`;

/** The tables of `AccessSchema` in the schema `access`. */
const tables = [
  `create table teams (
    team_id ${id(36, 'team_id')} primary key,
    name text,
    created_ms bigint not null
  )`,
  // Free space on each page, so that updating last_used_ms is a HOT update.
  `create table keys (
    key_id ${id(12, 'key_id')} primary key,
    secret_hash bytea not null check (length(secret_hash) = 32),
    team_id text collate "C" not null references teams (team_id),
    role text not null,
    scopes text not null,
    label text not null,
    cidrs text not null,
    created_ms bigint not null,
    expires_ms bigint not null,
    last_used_ms bigint,
    revoked_ms bigint,
    replaces text collate "C" references keys (key_id)
  ) with (fillfactor = 70)`,
  'create index keys_by_team on keys (team_id, created_ms)',
  'create index keys_by_replaced on keys (replaces) where replaces is not null',
  `create table cursor_secret (
    id integer not null primary key check (id = 1),
    secret bytea not null check (length(secret) = 32)
  )`,
  ...staffTables('postgres'),
  `create table break_glass (
    grant_id ${id(36, 'grant_id')} primary key,
    team_id text collate "C" not null references teams (team_id),
    key_id text collate "C" references keys (key_id),
    user_id ${id(36, 'user_id')},
    reason_code text not null,
    text text not null check (length(text) >= 20),
    granted_ms bigint not null,
    expires_ms bigint not null,
    reviewed_ms bigint,
    reviewed_by text,
    outcome text,
    note text,
    text_salt bytea check (length(text_salt) = 16),
    review_salt bytea check (length(review_salt) = 16),
    staff_id text collate "C" references staff (staff_id),
    session_id text collate "C" references sessions (session_id),
    ended_ms bigint,
    check ((key_id is null) <> (staff_id is null)),
    check ((staff_id is null) = (session_id is null))
  )`,
  'create index break_glass_by_key on break_glass (key_id, expires_ms)',
  'create index break_glass_by_team on break_glass (team_id, granted_ms)',
  'create index break_glass_by_session on break_glass (session_id, expires_ms) where session_id is not null',
  'create index break_glass_unreviewed on break_glass (team_id, granted_ms, grant_id) where reviewed_ms is null',
  'create index break_glass_by_staff on break_glass (staff_id, granted_ms) where staff_id is not null',
];

export const accessTablesMigrations: Migrations = { '001-tables': statements(tables) };
