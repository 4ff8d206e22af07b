/** The statements that create the tables of people and desks: the same on both engines, but for the names of types. */
export function staffTables(engine: 'sqlite' | 'postgres'): readonly string[] {
  const isSqlite = engine === 'sqlite';
  // "C": in the order of the bytes, as SQLite has it.
  const text = isSqlite ? 'text' : 'text collate "C"';
  const bytes = isSqlite ? 'blob' : 'bytea';
  const ms = isSqlite ? 'integer' : 'bigint';
  const end = isSqlite ? ') strict' : ')';
  const uuid = (name: string): string => `${name} ${text} not null check (length(${name}) = 36)`;
  const hash = (name: string): string => `${name} ${bytes} not null check (length(${name}) = 32)`;
  const salt = `salt ${bytes} not null check (length(salt) = 16)`;
  const team = `team_id ${text} not null references teams (team_id)`;
  return [
    `create table staff (
      ${uuid('staff_id')} primary key,
      ${team},
      name text not null,
      role text not null,
      issuer text,
      subject text,
      email text,
      badge_hash ${bytes} unique check (length(badge_hash) = 32),
      created_ms ${ms} not null,
      disabled_ms ${ms},
      unique (issuer, subject),
      check ((issuer is null) = (subject is null))
    ${end}`,
    'create index staff_by_team on staff (team_id, name)',
    'create unique index staff_by_email on staff (email) where email is not null',
    `create table key_owners (
      key_id ${text} not null primary key references keys (key_id),
      staff_id ${text} not null references staff (staff_id)
    ${end}`,
    'create index key_owners_by_staff on key_owners (staff_id)',
    `create table desks (
      ${uuid('desk_id')} primary key,
      ${team},
      name text not null,
      thumbprint ${text} not null unique check (length(thumbprint) = 43),
      jwk text not null,
      created_ms ${ms} not null,
      revoked_ms ${ms}
    ${end}`,
    'create index desks_by_team on desks (team_id, name)',
    `create table enrolment_codes (
      code_id ${text} not null primary key check (length(code_id) = 4),
      ${salt},
      ${hash('code_hash')},
      ${team},
      name text not null,
      created_ms ${ms} not null,
      expires_ms ${ms} not null,
      tries integer not null check (tries between 0 and 5),
      used_ms ${ms}
    ${end}`,
    `create table sessions (
      ${uuid('session_id')} primary key,
      token_id ${text} not null unique check (length(token_id) = 12),
      ${hash('secret_hash')},
      staff_id ${text} not null references staff (staff_id),
      desk_id ${text} not null references desks (desk_id),
      ${team},
      role text,
      method text not null,
      began_ms ${ms} not null,
      expires_ms ${ms} not null,
      ends_ms ${ms} not null,
      locked_ms ${ms},
      ended_ms ${ms}
    ${end}`,
    'create index sessions_by_staff on sessions (staff_id, began_ms)',
    'create index sessions_by_desk on sessions (desk_id, began_ms)',
    `create table pins (
      staff_id ${text} not null primary key references staff (staff_id),
      ${salt},
      ${hash('pin_hash')},
      set_ms ${ms} not null
    ${end}`,
    `create table pin_tries (
      staff_id ${text} not null references staff (staff_id),
      desk_id ${text} not null references desks (desk_id),
      tries integer not null check (tries between 0 and 5),
      primary key (staff_id, desk_id)
    ${end}`,
    `create table taken_tokens (
      ${hash('token_hash')} primary key,
      expires_ms ${ms} not null
    ${end}`,
  ];
}
