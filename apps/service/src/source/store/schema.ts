import { sql, type Kysely } from 'kysely';
import type { Migrations } from '../../database/sqlite/migrate.ts';

/**
 * The tables of `store.db`. Ids are the 16 bytes of a UUID (184 bytes per point with 10 million points, 221 with text ids),
 * instants are whole microseconds since 1970, bodies are JSON text as it is sent.
 *
 * Every primary key begins with the team (for points followed by the user), and every query includes them, so that the
 * tables can be distributed by team and user.
 */
export interface StoreSchema {
  users: {
    team_id: Uint8Array;
    user_id: Uint8Array;
    client_user_id: string;
    created_us: number;
    body: string;
  };
  /** Number of users per team, updated by every transaction that adds users. */
  user_totals: { team_id: Uint8Array; total: number };
  /** Every 256th user in list order, so that a page deep in the list is found without scanning. */
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
  /** The source of points, from their latest line; missing for points imported before this table existed. */
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
  // No foreign key here: the import checks the user once per line, not once per point.
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

/** The 16 bytes of a UUID in its canonical form, either case; `undefined` for any other text. */
export function uuidBytes(text: string): Uint8Array | undefined {
  return uuidForm.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** The canonical form of 16 bytes, in lower case. */
export function uuidText(bytes: Uint8Array): string {
  return hyphenated(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'));
}

/** The canonical forms of ids in hexadecimal digits, either case, one behind the other. */
export function uuidTexts(digits: string): string[] {
  const hex = digits.toLowerCase();
  return Array.from({ length: hex.length / 32 }, (_, at) =>
    hyphenated(hex.slice(32 * at, 32 * at + 32)),
  );
}

function hyphenated(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
