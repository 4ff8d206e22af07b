import { statements, type Migrations } from '../../database/sqlite/migrate.ts';

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
  /** Results that another version has replaced, numbered from 1. */
  lab_result_versions: {
    team_id: Uint8Array;
    order_id: Uint8Array;
    version: number;
    replaced_us: number;
    body: string;
  };
  /** Orders as they were imported. */
  imported_orders: {
    team_id: Uint8Array;
    order_id: Uint8Array;
    user_id: Uint8Array;
    body: string;
  };
  /** Every order that is known, of itself or from its result; see `orders/order-row.ts`. */
  orders: {
    team_id: Uint8Array;
    order_id: Uint8Array;
    user_id: Uint8Array;
    created_us: number;
    updated_us: number;
    low_level_status: string;
    interpretation: string;
    patient_key: string;
    birth_dates: string;
    person: string;
    body: string;
  };
  user_infos: { team_id: Uint8Array; user_id: Uint8Array; recorded_us: number; body: string };
  /**
   * What is known of each person, to be searched: JSON of `PersonFacts`. In SQLite `number` is the row in `people_index`,
   * in PostgreSQL `tokens` are in the row.
   */
  people: { team_id: Uint8Array; user_id: Uint8Array; facts: string };
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
  /** One row, once a file was imported: how many, and when the last one. */
  imports: { id: number; files: number; last_us: number };
  /** The source of points, from their latest line; every point has one. */
  mindfulness_sources: {
    team_id: Uint8Array;
    user_id: Uint8Array;
    provider: string;
    type: string;
    body: string;
  };
}

/** Adds one to the files that were imported, with the time in microseconds as its parameter, on either engine. */
export function countImport(schema: string, parameter: string): string {
  return `insert into ${schema}imports (id, files, last_us) values (1, 1, ${parameter})
    on conflict (id) do update set files = imports.files + 1, last_us = excluded.last_us`;
}

const tables = [
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
  `create table mindfulness_sources (
    team_id blob not null,
    user_id blob not null,
    provider text not null,
    type text not null,
    body text not null,
    primary key (team_id, user_id, provider, type),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict, without rowid`,
  `create table imports (
    id integer primary key check (id = 1),
    files integer not null,
    last_us integer not null
  ) strict`,
  `create table user_infos (
    team_id blob not null,
    user_id blob not null,
    recorded_us integer not null,
    body text not null,
    primary key (team_id, user_id, recorded_us),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict, without rowid`,
  `create table imported_orders (
    team_id blob not null,
    order_id blob not null check (length(order_id) = 16),
    user_id blob not null,
    body text not null,
    primary key (team_id, order_id),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict`,
  `create table orders (
    team_id blob not null,
    order_id blob not null check (length(order_id) = 16),
    user_id blob not null,
    created_us integer not null,
    updated_us integer not null,
    low_level_status text not null,
    interpretation text not null,
    patient_key text not null,
    birth_dates text not null,
    person text not null,
    body text not null,
    primary key (team_id, order_id),
    foreign key (team_id, user_id) references users (team_id, user_id)
  ) strict`,
  // Each order of the list, with all that it is filtered by: no body is read but those of the page.
  ...[
    ['creation', 'created_us, order_id, low_level_status, patient_key'],
    ['name', 'patient_key, created_us, order_id, low_level_status'],
    ['status', 'low_level_status, created_us, order_id, patient_key'],
  ].map(
    ([name, columns]) =>
      `create index orders_by_${name} on orders
        (team_id, ${columns}, updated_us, interpretation, birth_dates, user_id)`,
  ),
  'create index orders_of_user on orders (team_id, user_id, created_us)',
  `create table lab_result_versions (
    team_id blob not null,
    order_id blob not null,
    version integer not null,
    replaced_us integer not null,
    body text not null,
    primary key (team_id, order_id, version),
    foreign key (team_id, order_id) references lab_results (team_id, order_id)
  ) strict`,
  `create table people (
    number integer primary key,
    team_id blob not null,
    user_id blob not null,
    facts text not null,
    unique (team_id, user_id)
  ) strict`,
  // Only which person has which token: no text, no positions.
  `create virtual table people_index using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  )`,
];

export const storeMigrations: Migrations = { '001-tables': statements(tables) };

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** The 16 bytes of a UUID in its canonical form, either case; `undefined` for any other text. */
export function uuidBytes(text: string): Uint8Array | undefined {
  return uuidForm.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** The canonical form of 16 bytes, in lower case. */
export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  const part = (from: number, to: number): string => hex.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
}

/**
 * The object of a stored JSON text, of whose fields any may be missing: what cannot be read tells nothing, and must not keep
 * others from being imported.
 */
export function storedObject<T extends object>(text: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
