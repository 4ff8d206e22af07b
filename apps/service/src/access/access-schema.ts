import { statements, type Migrations } from '../database/sqlite/migrate.ts';
import type { StaffSchema } from './staff-schema.ts';
import { staffTables } from './staff-tables.ts';

/** The tables of `access.db`. Uuids are lower-case text, instants whole milliseconds since 1970. */
export interface AccessSchema extends StaffSchema {
  teams: { team_id: string; name: string | null; created_ms: number };
  keys: {
    key_id: string;
    /** SHA-256; with 256 bits of entropy, a slow hash would only enable denial of service. */
    secret_hash: Uint8Array;
    team_id: string;
    role: string;
    /** JSON array of scopes. */
    scopes: string;
    label: string;
    /** JSON array; empty: any network. */
    cidrs: string;
    created_ms: number;
    expires_ms: number;
    /** Minute precision. */
    last_used_ms: number | null;
    revoked_ms: number | null;
    /** The key that this one replaces. */
    replaces: string | null;
  };
  break_glass: {
    grant_id: string;
    team_id: string;
    /** The key with the grant, or null: then a staff member has it, for a session. */
    key_id: string | null;
    staff_id: string | null;
    session_id: string | null;
    /** Ended before it expired. */
    ended_ms: number | null;
    user_id: string;
    reason_code: string;
    text: string;
    granted_ms: number;
    expires_ms: number;
    reviewed_ms: number | null;
    /** A key id, a staff id, or the name given on the command line. */
    reviewed_by: string | null;
    outcome: string | null;
    note: string | null;
    /** 16 bytes, for the hash of the text in the audit log; null if granted before there was one. */
    text_salt: Uint8Array | null;
    /** 16 bytes, for the hash of outcome, reviewer and note. */
    review_salt: Uint8Array | null;
  };
  /** One row. */
  cursor_secret: { id: number; secret: Uint8Array };
}

const tables = [
  `create table teams (
    team_id text not null primary key check (length(team_id) = 36),
    name text,
    created_ms integer not null
  ) strict`,
  `create table keys (
    key_id text not null primary key check (length(key_id) = 12),
    secret_hash blob not null check (length(secret_hash) = 32),
    team_id text not null references teams (team_id),
    role text not null,
    scopes text not null,
    label text not null,
    cidrs text not null,
    created_ms integer not null,
    expires_ms integer not null,
    last_used_ms integer,
    revoked_ms integer,
    replaces text references keys (key_id)
  ) strict`,
  'create index keys_by_team on keys (team_id, created_ms)',
  'create index keys_by_replaced on keys (replaces) where replaces is not null',
  `create table cursor_secret (
    id integer not null primary key check (id = 1),
    secret blob not null check (length(secret) = 32)
  ) strict`,
  ...staffTables('sqlite'),
  `create table break_glass (
    grant_id text not null primary key check (length(grant_id) = 36),
    team_id text not null references teams (team_id),
    key_id text references keys (key_id),
    user_id text not null check (length(user_id) = 36),
    reason_code text not null,
    text text not null check (length(text) >= 20),
    granted_ms integer not null,
    expires_ms integer not null,
    reviewed_ms integer,
    reviewed_by text,
    outcome text,
    note text,
    text_salt blob check (length(text_salt) = 16),
    review_salt blob check (length(review_salt) = 16),
    staff_id text references staff (staff_id),
    session_id text references sessions (session_id),
    ended_ms integer,
    check ((key_id is null) <> (staff_id is null)),
    check ((staff_id is null) = (session_id is null))
  ) strict`,
  'create index break_glass_by_key on break_glass (key_id, expires_ms)',
  'create index break_glass_by_team on break_glass (team_id, granted_ms)',
  'create index break_glass_by_session on break_glass (session_id, expires_ms) where session_id is not null',
  'create index break_glass_unreviewed on break_glass (team_id, granted_ms, grant_id) where reviewed_ms is null',
  'create index break_glass_by_staff on break_glass (staff_id, granted_ms) where staff_id is not null',
];

export const accessMigrations: Migrations = { '001-tables': statements(tables) };
