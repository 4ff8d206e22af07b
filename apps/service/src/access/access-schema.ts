import { sql, type Kysely } from 'kysely';
import type { Migrations } from '../source/store/sqlite/migrate.ts';

/** The tables of `access.db`. Uuids are lower-case text, instants whole milliseconds since 1970. */
export interface AccessSchema {
  teams: { team_id: string; name: string | null; created_ms: number };
  keys: {
    key_id: string;
    /** SHA-256; at 256 bits of entropy a slow hash would only open a door for denial of service. */
    secret_hash: Uint8Array;
    team_id: string;
    role: string;
    /** JSON array of scopes. */
    scopes: string;
    label: string;
    /** JSON array; empty: from anywhere. */
    cidrs: string;
    created_ms: number;
    expires_ms: number;
    /** To the minute. */
    last_used_ms: number | null;
    revoked_ms: number | null;
    /** The key that this one was made to take over from. */
    replaces: string | null;
  };
  /** One row. */
  cursor_secret: { id: number; secret: Uint8Array };
}

export const accessMigrations: Migrations = {
  '001-keys': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of firstTables) {
        await sql.raw(statement).execute(db);
      }
    },
  },
};

const firstTables = [
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
];
