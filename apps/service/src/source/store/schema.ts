import { sql, type Kysely } from 'kysely';
import type { Migrations } from '../../database/sqlite/migrate.ts';

/**
 * The tables of `store.db`. Ids are the 16 bytes of their uuid (10 million points are 184 bytes each so, 221 with ids
 * as text), instants are whole microseconds since 1970, bodies are JSON text as it is sent.
 *
 * Every primary key begins with the team, that of points goes on with the user, and every query carries both, so that
 * the same tables can be spread over many machines by team and user.
 */
export interface StoreSchema {
  users: {
    team_id: Uint8Array;
    user_id: Uint8Array;
    client_user_id: string;
    created_us: number;
    body: string;
  };
  /** How many users a team has, kept exact by every transaction that adds one. */
  user_totals: { team_id: Uint8Array; total: number };
  /** Every 256th user in the list's order, so that a page deep in the list is found without walking to it. */
  user_ranks: { team_id: Uint8Array; position: number; created_us: number; user_id: Uint8Array };
  lab_results: {
    team_id: Uint8Array;
    order_id: Uint8Array;
    user_id: Uint8Array;
    body: string;
  };
  insurances: {
    team_id: Uint8Array;
    user_id: Uint8Array;
    is_primary: number;
    recorded_us: number;
    body: string;
  };
  mindfulness_minutes: {
    team_id: Uint8Array;
    user_id: Uint8Array;
    start_us: number;
    provider: string;
    type: string;
    end_us: number;
    body: string;
  };
  /** The source of points as the latest line told it; none of those that came in before there was this table. */
  mindfulness_sources: {
    team_id: Uint8Array;
    user_id: Uint8Array;
    provider: string;
    type: string;
    body: string;
  };
}

export const storeMigrations: Migrations = {
  '001-tables': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      for (const statement of firstTables) {
        await sql.raw(statement).execute(db);
      }
    },
  },
  '002-sources': {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await sql.raw(sourcesTable).execute(db);
    },
  },
};

const firstTables = [
  `create table users (
    team_id blob not null check (length(team_id) = 16),
    user_id blob not null check (length(user_id) = 16),
    client_user_id text not null,
    created_us integer not null,
    body text not null,
    primary key (team_id, user_id)
  ) strict`,
  'create unique index users_by_client_user_id on users (team_id, client_user_id)',
  'create unique index users_in_order on users (team_id, created_us, user_id)',
  `create table user_totals (
    team_id blob not null primary key,
    total integer not null check (total >= 0)
  ) strict, without rowid`,
  `create table user_ranks (
    team_id blob not null,
    position integer not null check (position > 0),
    created_us integer not null,
    user_id blob not null,
    primary key (team_id, position)
  ) strict, without rowid`,
  `create table lab_results (
    team_id blob not null,
    order_id blob not null check (length(order_id) = 16),
    user_id blob not null,
    body text not null,
    primary key (team_id, order_id),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict`,
  `create table insurances (
    team_id blob not null,
    user_id blob not null,
    is_primary integer not null check (is_primary in (0, 1)),
    recorded_us integer not null,
    body text not null,
    primary key (team_id, user_id, is_primary, recorded_us),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict, without rowid`,
  // No foreign key here: the import asks once a line, not once a point.
  `create table mindfulness_minutes (
    team_id blob not null,
    user_id blob not null,
    start_us integer not null,
    provider text not null,
    type text not null,
    end_us integer not null,
    body text not null,
    primary key (team_id, user_id, start_us, provider, type, end_us)
  ) strict, without rowid`,
];

const sourcesTable = `create table mindfulness_sources (
    team_id blob not null,
    user_id blob not null,
    provider text not null,
    type text not null,
    body text not null,
    primary key (team_id, user_id, provider, type),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict, without rowid`;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** The 16 bytes of a uuid in its usual form, either case; `undefined` for any other text. */
export function uuidBytes(text: string): Uint8Array | undefined {
  return uuidForm.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** The usual form of 16 bytes, lower case. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
