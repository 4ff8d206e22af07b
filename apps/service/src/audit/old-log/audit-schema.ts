/** Columns of `audit_event` generated from the body, so that they cannot differ from what was hashed. */
const columns: Readonly<Record<string, 'text' | 'integer'>> = {
  log_id: 'text',
  recorded_at_us: 'integer',
  server_id: 'text',
  team_id: 'text',
  actor_type: 'text',
  actor_id: 'text',
  role: 'text',
  key_id: 'text',
  session_id: 'text',
  operation: 'text',
  data_category: 'text',
  decision: 'text',
  reason_code: 'text',
  http_status: 'integer',
  purpose_of_use: 'text',
  break_glass_id: 'text',
  order_id: 'text',
  record_count: 'integer',
  request_id: 'text',
  client_ip: 'text',
  device_id: 'text',
  policy_version: 'text',
};

const appendOnly = ['audit_log', 'audit_event', 'audit_patient', 'audit_node', 'audit_checkpoint'];

/** The statements of the whole schema, for `verify`: a changed trigger or column is tampering, too. */
export function schemaStatements(): readonly string[] {
  return logStatements();
}

function logStatements(): readonly string[] {
  const generated = Object.entries(columns)
    .map(([name, type]) => `${name} ${type} as (json_extract(body, '$.${name}')) virtual`)
    .join(',\n');
  return [
    `create table audit_log (
       one integer primary key check (one = 1), log_id text not null, origin text not null,
       verifier_key text not null, created_at_us integer not null) strict`,
    // Body and salt are null after a retention cut; the hash is kept for proofs.
    `create table audit_event (
       seq integer primary key check (seq >= 0),
       leaf_hash blob not null check (length(leaf_hash) = 32),
       salt blob check (length(salt) = 16),
       body text check (json_valid(body)),
       ${generated},
       check ((body is null) = (salt is null))) strict`,
    `create index audit_event_time on audit_event (recorded_at_us)`,
    `create index audit_event_actor on audit_event (actor_id, seq)`,
    `create index audit_event_operation on audit_event (operation, seq)`,
    `create index audit_event_refused on audit_event (decision, seq) where decision <> 'allowed'`,
    `create table audit_patient (
       seq integer not null, user_id text not null, primary key (seq, user_id)) strict, without rowid`,
    `create index audit_patient_user on audit_patient (user_id, seq)`,
    // Level 0 is audit_event.leaf_hash.
    `create table audit_node (
       level integer not null check (level > 0), idx integer not null,
       hash blob not null check (length(hash) = 32), primary key (level, idx)) strict, without rowid`,
    `create table audit_head (
       one integer primary key check (one = 1), size integer not null, frontier blob not null) strict`,
    `create table audit_checkpoint (
       size integer primary key, note text not null) strict`,
    // Has a row only during the transaction of a retention cut, which permits erasing records.
    `create table audit_cut (one integer primary key check (one = 1)) strict`,
    ...appendOnly.flatMap(refusing),
    `create trigger audit_head_forward before update on audit_head
     when new.size <= old.size begin select raise(abort, 'the audit log only grows'); end`,
    `create trigger audit_head_stays before delete on audit_head
     begin select raise(abort, 'the audit log only grows'); end`,
  ];
}

function refusing(table: string): string[] {
  const isCuttable = table === 'audit_event' || table === 'audit_patient';
  const when = isCuttable ? 'when not exists (select 1 from audit_cut)' : '';
  return ['update', 'delete'].map(
    (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table} ${when}
               begin select raise(abort, 'the audit log is append-only'); end`,
  );
}
