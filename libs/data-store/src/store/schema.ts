import { statements, type Migrations } from '../database/sqlite/migrate.ts';

/** Text is compared byte by byte, whatever the collation of the database. */
const TYPES = {
  /** Bytes, mostly the 16 of a UUID: 184 bytes per point with 10 million points, 221 with text ids. */
  id: { sqlite: 'blob', postgres: 'bytea' },
  integer: { sqlite: 'integer', postgres: 'bigint' },
  flag: { sqlite: 'integer', postgres: 'smallint' },
  key: { sqlite: 'text', postgres: 'text collate "C"' },
  text: { sqlite: 'text', postgres: 'text' },
} as const;
type ColumnType = keyof typeof TYPES;
export type Engine = 'sqlite' | 'postgres';

interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly primaryKey: readonly string[];
  readonly checks?: readonly string[];
  readonly references?: { readonly table: string; readonly key: string };
  /** `without rowid` in SQLite. */
  readonly ordered?: true;
  readonly unique?: Readonly<Record<string, string>>;
  /** By name, columns in parentheses and what else follows the name of the table. */
  readonly indexes?: Readonly<Record<string, string>>;
}

const ofUser = { table: 'users', key: 'team_id, user_id' };
const isId = (column: string): string => `length(${column}) = 16`;

/** Instants are microseconds since 1970, bodies JSON text as sent. Every primary key and query begins with the team. */
const TABLES = {
  users: {
    columns: {
      team_id: 'id',
      user_id: 'id',
      client_user_id: 'key',
      created_us: 'integer',
      changed_in: 'integer',
      body: 'text',
    },
    primaryKey: ['team_id', 'user_id'],
    checks: [isId('team_id'), isId('user_id')],
    unique: {
      users_by_client_user_id: 'team_id, client_user_id',
      users_in_order: 'team_id, created_us, user_id',
    },
    indexes: { users_by_change: '(team_id, changed_in, user_id)' },
  },
  user_totals: {
    columns: { team_id: 'id', total: 'integer' },
    primaryKey: ['team_id'],
    checks: ['total >= 0'],
    ordered: true,
  },
  lab_results: {
    columns: { team_id: 'id', order_id: 'id', user_id: 'id', changed_in: 'integer', body: 'text' },
    primaryKey: ['team_id', 'order_id'],
    checks: [isId('order_id')],
    references: ofUser,
  },
  insurances: {
    columns: {
      team_id: 'id',
      user_id: 'id',
      is_primary: 'flag',
      recorded_us: 'integer',
      changed_in: 'integer',
      body: 'text',
    },
    primaryKey: ['team_id', 'user_id', 'is_primary', 'recorded_us'],
    checks: ['is_primary in (0, 1)'],
    references: ofUser,
    ordered: true,
  },
  /** No foreign key: the import checks the user once per line, not once per point. */
  mindfulness_minutes: {
    columns: {
      ...{ team_id: 'id', user_id: 'id', start_us: 'integer', provider: 'key', type: 'key' },
      ...{ end_us: 'integer', changed_in: 'integer', body: 'text' },
    },
    primaryKey: ['team_id', 'user_id', 'start_us', 'provider', 'type', 'end_us'],
    ordered: true,
  },
  mindfulness_sources: {
    columns: { team_id: 'id', user_id: 'id', provider: 'key', type: 'key', body: 'text' },
    primaryKey: ['team_id', 'user_id', 'provider', 'type'],
    references: ofUser,
    ordered: true,
  },
  imports: {
    columns: { id: 'integer', files: 'integer', last_us: 'integer' },
    primaryKey: ['id'],
    checks: ['id = 1'],
  },
  /** `changed_in` of a row is the commit that last changed it: a row is written before the time of its commit is known. */
  commits: {
    columns: { number: 'integer', changed_us: 'integer' },
    primaryKey: ['number'],
    unique: { commits_in_order: 'changed_us' },
  },
  user_infos: {
    columns: {
      ...{ team_id: 'id', user_id: 'id', recorded_us: 'integer', changed_in: 'integer' },
      body: 'text',
    },
    primaryKey: ['team_id', 'user_id', 'recorded_us'],
    references: ofUser,
    ordered: true,
    indexes: { infos_by_change: '(team_id, changed_in, user_id)' },
  },
  imported_orders: {
    columns: { team_id: 'id', order_id: 'id', user_id: 'id', body: 'text' },
    primaryKey: ['team_id', 'order_id'],
    checks: [isId('order_id')],
    references: ofUser,
  },
  orders: {
    columns: {
      ...{ team_id: 'id', order_id: 'id', user_id: 'id', created_us: 'integer' },
      ...{ updated_us: 'integer', low_level_status: 'key', interpretation: 'key' },
      ...{ patient_key: 'key', birth_dates: 'key', person: 'text' },
      ...{ changed_in: 'integer', body: 'text' },
    },
    primaryKey: ['team_id', 'order_id'],
    checks: [isId('order_id')],
    references: ofUser,
    indexes: { orders_of_user: '(team_id, user_id, created_us, order_id)' },
  },
  order_totals: {
    columns: { team_id: 'id', total: 'integer' },
    primaryKey: ['team_id'],
    ordered: true,
  },
  lab_result_versions: {
    columns: {
      team_id: 'id',
      order_id: 'id',
      version: 'integer',
      replaced_us: 'integer',
      body: 'text',
    },
    primaryKey: ['team_id', 'order_id', 'version'],
    references: { table: 'lab_results', key: 'team_id, order_id' },
  },
  /** Messages of laboratories that were taken, or wait: then with what they wait for, their ids of the patient, whom these
   *  were when it was tried, and their bytes with the character set of those that declare none. */
  hl7_messages: {
    columns: {
      ...{ team_id: 'id', message_hash: 'id', digest: 'id', received_us: 'integer' },
      ...{ user_id: 'id', waits_for: 'key', client_user_ids: 'text', people: 'text', bytes: 'id' },
      ...{ charset: 'key', sender: 'text' },
    },
    primaryKey: ['team_id', 'message_hash'],
    indexes: {
      hl7_messages_that_wait: '(team_id, waits_for)',
      hl7_messages_by_age: "(received_us) where waits_for <> ''",
      hl7_messages_of_user: '(team_id, user_id)',
    },
  },
  /** When the newest message about an order was sent: an earlier one changes nothing. */
  hl7_orders: {
    columns: {
      ...{ team_id: 'id', order_id: 'id', sent_us: 'integer', local_us: 'integer' },
      has_offset: 'flag',
    },
    primaryKey: ['team_id', 'order_id'],
    references: { table: 'lab_results', key: 'team_id, order_id' },
  },
  /** Who must not be imported again: HMAC of the ids of team and user, or of the client user id, under the secret. */
  erased_people: {
    columns: { team_id: 'id', person_hash: 'id' },
    primaryKey: ['team_id', 'person_hash'],
  },
  erasure_secret: {
    columns: { id: 'integer', secret: 'id' },
    primaryKey: ['id'],
    checks: ['id = 1'],
  },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof TABLES;

type Values<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends 'id'
    ? Uint8Array
    : Columns[Name] extends 'integer' | 'flag'
      ? number
      : string;
};

export type StoreSchema = {
  [Name in keyof typeof TABLES]: Values<(typeof TABLES)[Name]['columns']>;
} & {
  /** `facts` is JSON of `PersonFacts`. Tokens are in `people_index` by number on SQLite, in columns on PostgreSQL. */
  people: { number: number; team_id: Uint8Array; user_id: Uint8Array; facts: string };
};

function createTables(engine: Engine): string[] {
  return Object.entries<Table>(TABLES).flatMap(([name, table]) => createTable(engine, name, table));
}

function createTable(engine: Engine, name: string, table: Table): string[] {
  const { columns, primaryKey, checks = [], references, unique = {}, indexes = {} } = table;
  const parts = [
    ...Object.entries(columns).map(([column, type]) => `${column} ${TYPES[type][engine]} not null`),
    `primary key (${primaryKey.join(', ')})`,
    ...checks.map((check) => `check (${check})`),
    ...(references === undefined
      ? []
      : [`foreign key (${references.key}) references ${references.table} (${references.key})`]),
  ];
  const options =
    engine === 'postgres' ? '' : ` strict${table.ordered === true ? ', without rowid' : ''}`;
  return [
    `create table ${name} (${parts.join(', ')})${options}`,
    ...Object.entries(unique).map(
      ([index, key]) => `create unique index ${index} on ${name} (${key})`,
    ),
    ...Object.entries(indexes).map(([index, key]) => `create index ${index} on ${name} ${key}`),
  ];
}

/** `told`: what a row says; only a change of it is one. */
export function columnsOf(
  name: TableName,
): Record<'all' | 'key' | 'rest' | 'told', readonly string[]> {
  const { columns, primaryKey }: Table = TABLES[name];
  const all = Object.keys(columns);
  const rest = all.filter((column) => !primaryKey.includes(column));
  return { all, key: primaryKey, rest, told: rest.filter((column) => column !== 'changed_in') };
}

export function orderOf(name: keyof StoreSchema): readonly string[] {
  return name === 'people' ? ['team_id', 'user_id'] : columnsOf(name).key;
}

/** The schema of PostgreSQL that has the tables. */
export const storeSchema = 'store';

const sqliteTables = [
  ...createTables('sqlite'),
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
  `create table people (
    number integer primary key,
    team_id blob not null,
    user_id blob not null,
    facts text not null,
    unique (team_id, user_id)
  ) strict`,
  // Only which person has which token: no text, no positions. Tokens are folded before, as they are on PostgreSQL.
  `create virtual table people_index using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, prefix = '2 3 4 5',
    tokenize = "ascii tokenchars '~=^@+#-'"
  )`,
];

const postgresTables = [
  ...createTables('postgres'),
  'create index orders_by_creation on orders (team_id, created_us, order_id)',
  'create index orders_by_name on orders (team_id, patient_key, created_us, order_id)',
  'create index orders_by_status on orders (team_id, low_level_status, created_us, order_id)',
  // The primary key is not (team_id, user_id): PostgreSQL without statistics then read all people of a team for a search.
  `create table people (
    number bigint generated always as identity primary key,
    team_id bytea not null,
    user_id bytea not null,
    last_seen text collate "C" not null,
    facts text not null,
    tokens tsvector not null,
    lab_tokens tsvector,
    unique (user_id, team_id)
  )`,
  'create index people_by_token on people using gin (tokens)',
  'create index people_by_lab_token on people using gin (lab_tokens)',
];

export const storeMigrations: Migrations = { '001-tables': statements(sqliteTables) };
export const postgresStoreMigrations: Migrations = { '001-tables': statements(postgresTables) };

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** The 16 bytes of a UUID in its canonical form, either case; `undefined` for any other text. */
export function uuidBytes(text: string): Uint8Array | undefined {
  return uuidForm.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  const part = (from: number, to: number): string => hex.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
}

export type PersonKey = Pick<StoreSchema['people'], 'team_id' | 'user_id'>;

export function keyOf(team: Uint8Array, id: Uint8Array): string {
  return Buffer.concat([team, id]).toString('latin1');
}

/** Any field may be missing: what cannot be read tells nothing, and must not keep others from being imported. */
export function storedObject<T extends object>(text: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
