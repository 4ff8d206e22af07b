export type Engine = 'sqlite' | 'postgres';

/** Name of the PostgreSQL schema with the tables. */
export const storeSchema = 'store';

export type PersonKey = { team_id: Uint8Array; user_id: Uint8Array };
type OrderKey = { team_id: Uint8Array; order_id: Uint8Array };
/** JSON text as it is sent, and the commit that last changed it. */
type Body = { changed_in: number; body: string };

/** The columns on both engines. Names that end with `_us` are microseconds since 1970. */
export interface StoreSchema {
  users: PersonKey & Body & { client_user_id: string; created_us: number };
  user_infos: PersonKey & Body & { recorded_us: number };
  insurances: PersonKey & Body & { is_primary: number; recorded_us: number };
  imported_orders: OrderKey & { user_id: Uint8Array; body: string };
  lab_results: OrderKey & Body & { user_id: Uint8Array };
  lab_result_versions: OrderKey & { version: number; replaced_us: number; body: string };
  orders: OrderKey &
    Body & {
      user_id: Uint8Array;
      /** Time of creation, else the date of the specimen; 0 if unknown. */
      created_us: number;
      updated_us: number;
      /** Empty if unknown, like the texts below. */
      low_level_status: string;
      interpretation: string;
      /** Normalized words of the patient's names, each preceded by a space. */
      patient_key: string;
      /** Birth dates as YYYY-MM-DD, separated by spaces. */
      birth_dates: string;
      person: string;
    };
  mindfulness_minutes: PersonKey &
    Body & { start_us: number; provider: string; type: string; end_us: number };
  mindfulness_sources: PersonKey & { provider: string; type: string; body: string };
  user_totals: { team_id: Uint8Array; total: number };
  order_totals: { team_id: Uint8Array; total: number };
  imports: { id: number; files: number; last_us: number };
  commits: { number: number; changed_us: number };
  hl7_messages: PersonKey & {
    message_hash: Uint8Array;
    digest: Uint8Array;
    received_us: number;
    waits_for: string;
    client_user_ids: string;
    people: string;
    bytes: Uint8Array;
    charset: string;
    sender: string;
  };
  hl7_orders: OrderKey & { sent_us: number; local_us: number; has_offset: number };
  erased_people: { team_id: Uint8Array; person_hash: Uint8Array };
  erasure_secret: { id: number; secret: Uint8Array };
  /**
   * `facts` is JSON of `PersonFacts`. Tokens are stored in `people_index` by number on SQLite, and in columns on
   * PostgreSQL.
   */
  people: PersonKey & { number: number; facts: string };
}

/** Every key and every query begins with the team. */
export const PRIMARY_KEYS = {
  users: ['team_id', 'user_id'],
  user_infos: ['team_id', 'user_id', 'recorded_us'],
  insurances: ['team_id', 'user_id', 'is_primary', 'recorded_us'],
  imported_orders: ['team_id', 'order_id'],
  lab_results: ['team_id', 'order_id'],
  lab_result_versions: ['team_id', 'order_id', 'version'],
  orders: ['team_id', 'order_id'],
  mindfulness_minutes: ['team_id', 'user_id', 'start_us', 'provider', 'type', 'end_us'],
  mindfulness_sources: ['team_id', 'user_id', 'provider', 'type'],
  user_totals: ['team_id'],
  order_totals: ['team_id'],
  imports: ['id'],
  commits: ['number'],
  hl7_messages: ['team_id', 'message_hash'],
  hl7_orders: ['team_id', 'order_id'],
  erased_people: ['team_id', 'person_hash'],
  erasure_secret: ['id'],
  people: ['team_id', 'user_id'],
} as const satisfies { readonly [Name in keyof StoreSchema]: readonly (keyof StoreSchema[Name])[] };

/**
 * Returns the statements that create all tables. Text is compared byte by byte, whatever the collation of the
 * database.
 */
export function createTables(engine: Engine): string[] {
  const isSqlite = engine === 'sqlite';
  // IDs are stored as 16 bytes: a point takes 184 bytes with 10 million points, instead of 221 bytes with text IDs.
  const bytes = isSqlite ? 'blob not null' : 'bytea not null';
  const integer = isSqlite ? 'integer not null' : 'bigint not null';
  const key = isSqlite ? 'text not null' : 'text collate "C" not null';
  const text = 'text not null';
  const end = isSqlite ? ') strict' : ')';
  const ordered = isSqlite ? ') strict, without rowid' : ')';
  const buildPrimaryKey = (name: keyof typeof PRIMARY_KEYS): string =>
    `primary key (${PRIMARY_KEYS[name].join(', ')})`;
  const userForeignKey = 'foreign key (team_id, user_id) references users';
  const resultForeignKey = 'foreign key (team_id, order_id) references lab_results';
  const tables = `
    create table users (
      team_id ${bytes} check (length(team_id) = 16),
      user_id ${bytes} check (length(user_id) = 16),
      client_user_id ${key}, created_us ${integer}, changed_in ${integer}, body ${text},
      ${buildPrimaryKey('users')}${end};
    create unique index users_by_client_user_id on users (team_id, client_user_id);
    create unique index users_in_order on users (team_id, created_us, user_id);
    create index users_by_change on users (team_id, changed_in, user_id);

    create table user_totals (
      team_id ${bytes}, total ${integer} check (total >= 0), ${buildPrimaryKey('user_totals')}${ordered};

    create table user_infos (
      team_id ${bytes}, user_id ${bytes}, recorded_us ${integer},
      changed_in ${integer}, body ${text},
      ${buildPrimaryKey('user_infos')}, ${userForeignKey}${ordered};
    create index infos_by_change on user_infos (team_id, changed_in, user_id);

    create table insurances (
      team_id ${bytes}, user_id ${bytes}, is_primary ${integer} check (is_primary in (0, 1)),
      recorded_us ${integer}, changed_in ${integer}, body ${text},
      ${buildPrimaryKey('insurances')}, ${userForeignKey}${ordered};

    create table imported_orders (
      team_id ${bytes}, order_id ${bytes} check (length(order_id) = 16), user_id ${bytes},
      body ${text}, ${buildPrimaryKey('imported_orders')}, ${userForeignKey}${end};

    create table lab_results (
      team_id ${bytes}, order_id ${bytes} check (length(order_id) = 16), user_id ${bytes},
      changed_in ${integer}, body ${text},
      ${buildPrimaryKey('lab_results')}, ${userForeignKey}${end};

    create table lab_result_versions (
      team_id ${bytes}, order_id ${bytes}, version ${integer}, replaced_us ${integer},
      body ${text}, ${buildPrimaryKey('lab_result_versions')}, ${resultForeignKey}${end};

    create table orders (
      team_id ${bytes}, order_id ${bytes} check (length(order_id) = 16), user_id ${bytes},
      created_us ${integer}, updated_us ${integer}, low_level_status ${key},
      interpretation ${key}, patient_key ${key}, birth_dates ${key}, person ${text},
      changed_in ${integer}, body ${text},
      ${buildPrimaryKey('orders')}, ${userForeignKey}${end};

    create table order_totals (
      team_id ${bytes}, total ${integer}, ${buildPrimaryKey('order_totals')}${ordered};

    -- No foreign key: the import checks the user once per line, not once per point.
    create table mindfulness_minutes (
      team_id ${bytes}, user_id ${bytes}, start_us ${integer}, provider ${key}, type ${key},
      end_us ${integer}, changed_in ${integer}, body ${text},
      ${buildPrimaryKey('mindfulness_minutes')}${ordered};

    create table mindfulness_sources (
      team_id ${bytes}, user_id ${bytes}, provider ${key}, type ${key}, body ${text},
      ${buildPrimaryKey('mindfulness_sources')}, ${userForeignKey}${ordered};

    create table imports (
      id ${integer} check (id = 1), files ${integer}, last_us ${integer}, primary key (id)${end};

    -- A row has the number of the commit that last changed it, since its time is not known before.
    create table commits (number ${integer}, changed_us ${integer}, primary key (number)${end};
    create unique index commits_in_order on commits (changed_us);

    -- Messages of laboratories that were imported, or wait: then with what they wait for, their
    -- ids of the patient, whom these named, and their bytes with the charset of those without one.
    create table hl7_messages (
      team_id ${bytes}, message_hash ${bytes}, digest ${bytes}, received_us ${integer},
      user_id ${bytes}, waits_for ${key}, client_user_ids ${text}, people ${text},
      bytes ${bytes}, charset ${key}, sender ${text},
      ${buildPrimaryKey('hl7_messages')}${end};
    create index hl7_messages_that_wait on hl7_messages (team_id, waits_for);
    create index hl7_messages_by_age on hl7_messages (received_us) where waits_for <> '';
    create index hl7_messages_of_user on hl7_messages (team_id, user_id);

    -- When the newest message about an order was sent: an earlier one changes nothing.
    create table hl7_orders (
      team_id ${bytes}, order_id ${bytes}, sent_us ${integer}, local_us ${integer},
      has_offset ${integer}, ${buildPrimaryKey('hl7_orders')}, ${resultForeignKey}${end};

    -- Who must not be imported again: HMAC of the ids of team and user, or of the client user id.
    create table erased_people (
      team_id ${bytes}, person_hash ${bytes}, ${buildPrimaryKey('erased_people')}${end};
    create table erasure_secret (
      id ${integer} check (id = 1), secret ${bytes}, primary key (id)${end};
    ${isSqlite ? SQLITE_SEARCH : POSTGRES_SEARCH}`;
  return tables.split(';').filter((statement) => statement.trim() !== '');
}

/** These indexes cover all filters of the lists of orders, so that only bodies of the returned page are read. */
const SQLITE_SEARCH = `
  create index orders_of_user on orders (team_id, user_id, created_us, order_id,
    low_level_status, patient_key, updated_us, interpretation, birth_dates);
  create index orders_by_creation on orders (team_id, created_us, order_id,
    low_level_status, patient_key, updated_us, interpretation, birth_dates, user_id);
  create index orders_by_name on orders (team_id, patient_key, created_us, order_id,
    low_level_status, updated_us, interpretation, birth_dates, user_id);
  create index orders_by_status on orders (team_id, low_level_status, created_us, order_id,
    patient_key, updated_us, interpretation, birth_dates, user_id);

  create table people (
    number integer primary key, team_id blob not null, user_id blob not null,
    facts text not null, unique (team_id, user_id)) strict;

  -- Only which person has which token: no text, no positions. Tokens are folded before.
  create virtual table people_index using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, prefix = '2 3 4 5',
    tokenize = "ascii tokenchars '~=^@+#-'");`;

/**
 * The key of `people` has the person first. With (team_id, user_id), PostgreSQL without statistics reads all people
 * of a team.
 */
const POSTGRES_SEARCH = `
  create index orders_of_user on orders (team_id, user_id, created_us, order_id);
  create index orders_by_creation on orders (team_id, created_us, order_id);
  create index orders_by_name on orders (team_id, patient_key, created_us, order_id);
  create index orders_by_status on orders (team_id, low_level_status, created_us, order_id);

  create table people (
    number bigint generated always as identity primary key,
    team_id bytea not null, user_id bytea not null, last_seen text collate "C" not null,
    facts text not null, tokens tsvector not null, lab_tokens tsvector,
    unique (user_id, team_id));
  create index people_by_token on people using gin (tokens);
  create index people_by_lab_token on people using gin (lab_tokens);`;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Returns the 16 bytes of a UUID in its canonical form, in upper or lower case, or undefined for any other text. */
export function parseUuid(text: string): Uint8Array | undefined {
  return uuidForm.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** Returns the bytes of an ID, or no bytes if it is not a UUID. Those match no row. */
export function toIdBytes(id: string): Uint8Array {
  return parseUuid(id) ?? new Uint8Array();
}

export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  const getPart = (from: number, to: number): string => hex.slice(from, to);
  return `${getPart(0, 8)}-${getPart(8, 12)}-${getPart(12, 16)}-${getPart(16, 20)}-${getPart(20, 32)}`;
}

export function joinKey(team: Uint8Array, id: Uint8Array): string {
  return Buffer.concat([team, id]).toString('latin1');
}

/**
 * Parses a stored object. Any field may be missing: an unreadable value counts as empty, and must not prevent other
 * records from being imported.
 */
export function parseStoredObject<T extends object>(text: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
