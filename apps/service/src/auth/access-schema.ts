import type { Generated } from 'kysely';

/** The tables of access data. UUIDs are lower-case text. Times are integers in milliseconds since 1970. */
export interface AccessSchema {
  teams: { team_id: string; name: string | null; created_ms: number };
  keys: {
    key_id: string;
    /** SHA-256. The secret has 256 bits of entropy, so a slow hash would only help denial of service. */
    secret_hash: Uint8Array;
    team_id: string;
    role: string;
    scopes: string;
    label: string;
    /** JSON array of allowed networks. Empty allows any network. */
    cidrs: string;
    created_ms: number;
    expires_ms: number;
    /** Has a precision of one minute. */
    last_used_ms: number | null;
    revoked_ms: number | null;
    replaces: string | null;
    /** 1 for an API key of a demo, `cg_test_`. */
    is_test: number;
    /** The staff member to whom the API key belongs. */
    staff_id: string | null;
  };
  break_glass: {
    grant_id: string;
    team_id: string;
    key_id: string | null;
    staff_id: string | null;
    session_id: string | null;
    ended_ms: number | null;
    user_id: string;
    reason_code: string;
    text: string;
    granted_ms: number;
    expires_ms: number;
    reviewed_ms: number | null;
    /** ID of an API key or staff member, or a name given on the command line. */
    reviewed_by: string | null;
    outcome: string | null;
    note: string | null;
    /** Salt of 16 bytes for the hash of the text in the audit log. */
    text_salt: Uint8Array;
    review_salt: Uint8Array | null;
  };
  /** Never changes, since record IDs, hashes of client user IDs and the metrics token are derived from it. */
  permanent_secret: { id: number; secret: Uint8Array };
  /** The newest secret encrypts cursors. The previous one still decrypts its own cursors for a while. */
  cursor_secrets: { secret_id: number; secret: Uint8Array; made_ms: number };
  staff: {
    staff_id: string;
    team_id: string;
    name: string;
    role: string;
    /**
     * Issuer and subject at the identity provider. Null for staff added by e-mail address until their first sign-in.
     */
    issuer: string | null;
    subject: string | null;
    /** Lower case. Only used to identify a staff member at the first sign-in. */
    email: string | null;
    /** SHA-256. A badge identifies a staff member, but doesn't authenticate. */
    badge_hash: Uint8Array | null;
    created_ms: number;
    disabled_ms: number | null;
    pin_salt: Uint8Array | null;
    pin_hash: Uint8Array | null;
  };
  desks: {
    desk_id: string;
    team_id: string;
    name: string;
    /** JWK thumbprint (RFC 7638) of the desk's key, base64url of SHA-256. */
    thumbprint: string;
    key_ms: number;
    /** A second valid key: the next one until its first use, or the previous one for a while. */
    second_thumbprint: string | null;
    second_since_ms: number | null;
    second_is_next: Generated<number>;
    created_ms: number;
    revoked_ms: number | null;
  };
  enrolment_codes: {
    code_id: string;
    /** SHA-256 of the salt and the secret part of the code. */
    salt: Uint8Array;
    code_hash: Uint8Array;
    team_id: string;
    name: string;
    created_ms: number;
    expires_ms: number;
    tries: Generated<number>;
    used_ms: number | null;
  };
  sessions: {
    session_id: string;
    token_id: string;
    secret_hash: Uint8Array;
    staff_id: string;
    desk_id: string;
    team_id: string;
    began_ms: number;
    expires_ms: number;
    ends_ms: number;
    locked_ms: number | null;
    ended_ms: number | null;
    /** Number of wrong PINs since the sign-in, or since the last correct PIN. */
    pin_tries: Generated<number>;
  };
  /** Used ID tokens until they expire, since each can be used only once. */
  taken_tokens: { token_hash: Uint8Array; expires_ms: number };
}

export function buildCreateStatements(engine: 'sqlite' | 'postgres'): readonly string[] {
  const isSqlite = engine === 'sqlite';
  // The collation "C" sorts by bytes, as SQLite does.
  const text = isSqlite ? 'text' : 'text collate "C"';
  const bytes = isSqlite ? 'blob' : 'bytea';
  const ms = isSqlite ? 'integer' : 'bigint';
  const end = isSqlite ? ') strict' : ')';
  const defineUuid = (name: string): string =>
    `${name} ${text} not null check (length(${name}) = 36)`;
  const defineHash = (name: string): string =>
    `${name} ${bytes} not null check (length(${name}) = 32)`;
  const salt = `salt ${bytes} not null check (length(salt) = 16)`;
  const team = `team_id ${text} not null references teams (team_id)`;
  return [
    `create table teams (
      ${defineUuid('team_id')} primary key,
      name text,
      created_ms ${ms} not null
    ${end}`,
    `create table staff (
      ${defineUuid('staff_id')} primary key,
      ${team},
      name text not null,
      role text not null,
      issuer text,
      subject text,
      email text,
      badge_hash ${bytes} unique check (length(badge_hash) = 32),
      created_ms ${ms} not null,
      disabled_ms ${ms},
      pin_salt ${bytes} check (length(pin_salt) = 16),
      pin_hash ${bytes} check (length(pin_hash) = 32),
      unique (issuer, subject),
      check ((issuer is null) = (subject is null)),
      check ((pin_salt is null) = (pin_hash is null))
    ${end}`,
    'create index staff_by_team on staff (team_id, name)',
    'create unique index staff_by_email on staff (email) where email is not null',
    // Reserves free space on each page in PostgreSQL, so that updates of last_used_ms are HOT updates.
    `create table keys (
      key_id ${text} not null primary key check (length(key_id) = 12),
      ${defineHash('secret_hash')},
      ${team},
      role text not null,
      scopes text not null,
      label text not null,
      cidrs text not null,
      created_ms ${ms} not null,
      expires_ms ${ms} not null,
      last_used_ms ${ms},
      revoked_ms ${ms},
      replaces ${text} references keys (key_id),
      is_test integer not null,
      staff_id ${text} references staff (staff_id)
    ${isSqlite ? end : ') with (fillfactor = 70)'}`,
    'create index keys_by_team on keys (team_id, created_ms)',
    'create index keys_by_replaced on keys (replaces) where replaces is not null',
    'create index keys_by_staff on keys (staff_id) where staff_id is not null',
    `create table permanent_secret (
      id integer not null primary key check (id = 1),
      ${defineHash('secret')}
    ${end}`,
    `create table cursor_secrets (
      secret_id integer not null primary key,
      ${defineHash('secret')},
      made_ms ${ms} not null
    ${end}`,
    `create table desks (
      ${defineUuid('desk_id')} primary key,
      ${team},
      name text not null,
      thumbprint ${text} not null unique check (length(thumbprint) = 43),
      key_ms ${ms} not null,
      second_thumbprint ${text} unique check (length(second_thumbprint) = 43),
      second_since_ms ${ms},
      second_is_next integer not null default 0,
      created_ms ${ms} not null,
      revoked_ms ${ms}
    ${end}`,
    'create index desks_by_team on desks (team_id, name)',
    `create table enrolment_codes (
      code_id ${text} not null primary key check (length(code_id) = 4),
      ${salt},
      ${defineHash('code_hash')},
      ${team},
      name text not null,
      created_ms ${ms} not null,
      expires_ms ${ms} not null,
      tries integer not null default 0 check (tries between 0 and 5),
      used_ms ${ms}
    ${end}`,
    `create table sessions (
      ${defineUuid('session_id')} primary key,
      token_id ${text} not null unique check (length(token_id) = 12),
      ${defineHash('secret_hash')},
      staff_id ${text} not null references staff (staff_id),
      desk_id ${text} not null references desks (desk_id),
      ${team},
      began_ms ${ms} not null,
      expires_ms ${ms} not null,
      ends_ms ${ms} not null,
      locked_ms ${ms},
      ended_ms ${ms},
      pin_tries integer not null default 0 check (pin_tries between 0 and 5)
    ${end}`,
    'create index sessions_by_staff on sessions (staff_id, began_ms)',
    'create index sessions_by_desk on sessions (desk_id, began_ms)',
    `create table taken_tokens (
      ${defineHash('token_hash')} primary key,
      expires_ms ${ms} not null
    ${end}`,
    `create table break_glass (
      ${defineUuid('grant_id')} primary key,
      ${team},
      key_id ${text} references keys (key_id),
      ${defineUuid('user_id')},
      reason_code text not null,
      text text not null check (length(text) >= 20),
      granted_ms ${ms} not null,
      expires_ms ${ms} not null,
      reviewed_ms ${ms},
      reviewed_by text,
      outcome text,
      note text,
      text_salt ${bytes} not null check (length(text_salt) = 16),
      review_salt ${bytes} check (length(review_salt) = 16),
      staff_id ${text} references staff (staff_id),
      session_id ${text} references sessions (session_id),
      ended_ms ${ms},
      check ((key_id is null) <> (staff_id is null)),
      check ((staff_id is null) = (session_id is null))
    ${end}`,
    'create index break_glass_by_key on break_glass (key_id, expires_ms)',
    'create index break_glass_by_team on break_glass (team_id, granted_ms)',
    'create index break_glass_by_session on break_glass (session_id, expires_ms) where session_id is not null',
    'create index break_glass_unreviewed on break_glass (team_id, granted_ms, grant_id) where reviewed_ms is null',
    'create index break_glass_by_staff on break_glass (staff_id, granted_ms) where staff_id is not null',
  ];
}
