import { patientKeySql } from './patient-keys.ts';
import { bytesOfTile, hashesOfTile, levelsOfTile } from '../../tree/tiles.ts';

/** Columns of `audit_event` copied from the body for searching; verification compares them with the body. */
export const bodyColumns: Readonly<Record<string, 'text' | 'bigint'>> = {
  recorded_at_us: 'bigint',
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
  http_status: 'bigint',
  purpose_of_use: 'text',
  break_glass_id: 'text',
  order_id: 'text',
  record_count: 'bigint',
  request_id: 'text',
  client_ip: 'text',
  device_id: 'text',
  policy_version: 'text',
};

/** Tables that only grow. */
export const auditTables = [
  'audit_log',
  'audit_event',
  'audit_tile',
  'audit_seal',
  'audit_checkpoint',
] as const;

/** Body of the trigger function of all tables; verification compares it with the database. */
export const refusal = `
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end`;

/**
 * Statements that make the tables, by migration in order of the names, forward only. To be run in one transaction by the
 * owner, with the schema `audit` as the search path.
 */
export const auditMigrations: Readonly<Record<string, readonly string[]>> = {
  '001-logs': logs(),
  '002-seals': seals(),
  '003-patients': patients(),
};

/** Any number of logs, keyed by `log_id`. */
function logs(): string[] {
  const columns = Object.entries(bodyColumns).map(([name, type]) => `${name} ${type}`);
  const tables = [
    'audit_log',
    'audit_event',
    'audit_patient',
    'audit_node',
    'audit_head',
    'audit_checkpoint',
  ];
  // "C": byte order, as in the body.
  return [
    `create table audit_log (
       log_id text collate "C" primary key, origin text not null, verifier_key text not null,
       created_at_us bigint not null)`,
    // A verifier key ends with the public key, by which an instance finds the logs that it can sign.
    `create index audit_log_key on audit_log (right(verifier_key, 44))`,
    // Body and salt are null in records erased by a retention cut before the log was moved here.
    `create table audit_event (
       log_id text collate "C" not null, seq bigint not null check (seq >= 0),
       leaf_hash bytea not null check (length(leaf_hash) = 32),
       salt bytea check (length(salt) = 16),
       body text,
       ${columns.join(', ')},
       primary key (log_id, seq),
       check ((body is null) = (salt is null)))`,
    `create index audit_event_team on audit_event (team_id, recorded_at_us, log_id, seq)`,
    `create index audit_event_actor on audit_event (actor_id, recorded_at_us, log_id, seq)`,
    `create index audit_event_operation on audit_event (operation, recorded_at_us, log_id, seq)`,
    `create table audit_patient (
       log_id text collate "C" not null, seq bigint not null, user_id text collate "C" not null,
       primary key (log_id, seq, user_id))`,
    `create index audit_patient_user on audit_patient (user_id, log_id, seq)`,
    // Level 0 is audit_event.leaf_hash.
    `create table audit_node (
       log_id text collate "C" not null, level smallint not null check (level > 0), idx bigint not null,
       hash bytea not null check (length(hash) = 32), primary key (log_id, level, idx))`,
    `create table audit_head (
       log_id text collate "C" not null, size bigint not null check (size >= 0),
       root bytea not null check (length(root) = 32), primary key (log_id, size))`,
    `create table audit_checkpoint (
       log_id text collate "C" not null, size bigint not null, note text not null,
       primary key (log_id, size))`,
    `create function audit_refuse() returns trigger language plpgsql as $refusal$${refusal}$refusal$`,
    ...tables.flatMap(appendOnly),
  ];
}

/** Tiles take the place of nodes, seals that of heads; records, patients and checkpoints stay as they are. */
function seals(): string[] {
  return [
    // The root of the tile's own tree is a hash of the tile above, which is a row only once it is full.
    `create table audit_tile (
       log_id text collate "C" not null, level smallint not null check (level >= 0), idx bigint not null check (idx >= 0),
       root bytea not null check (length(root) = 32), hashes bytea not null check (length(hashes) = ${bytesOfTile}),
       primary key (log_id, level, idx))`,
    // Hashes do not compress.
    `alter table audit_tile alter column hashes set storage external`,
    `create table audit_seal (
       log_id text collate "C" not null, size bigint not null check (size > 0),
       root bytea not null check (length(root) = 32), checkpoint_size bigint not null check (checkpoint_size >= 0),
       signature bytea not null check (length(signature) = 64), primary key (log_id, size))`,
    `insert into audit_tile (log_id, level, idx, root, hashes)
       select t.log_id, 0, t.idx, n.hash, t.hashes from (
         select log_id, seq / ${hashesOfTile} as idx, string_agg(leaf_hash, ''::bytea order by seq) as hashes
         from audit_event group by 1, 2 having count(*) = ${hashesOfTile}
       ) as t join audit_node n on n.log_id = t.log_id and n.level = ${levelsOfTile} and n.idx = t.idx`,
    // A tile of level 3 has 4 billion records below it.
    ...[1, 2, 3].map(
      (level) => `insert into audit_tile (log_id, level, idx, root, hashes)
       select t.log_id, ${level}, t.idx, n.hash, t.hashes from (
         select log_id, idx / ${hashesOfTile} as idx, string_agg(hash, ''::bytea order by idx) as hashes
         from audit_node where level = ${levelsOfTile * level} group by 1, 2 having count(*) = ${hashesOfTile}
       ) as t join audit_node n on n.log_id = t.log_id and n.level = ${levelsOfTile * (level + 1)} and n.idx = t.idx`,
    ),
    'drop table audit_node',
    'drop table audit_head',
    ...['audit_tile', 'audit_seal'].flatMap(appendOnly),
    // Who may append to the records may append to these.
    `do $grants$ declare grantee text; begin
       for grantee in
         select distinct quote_ident(a.grantee::regrole::text) from pg_class c, aclexplode(c.relacl) a
         where c.oid = 'audit_event'::regclass and a.privilege_type = 'INSERT' and a.grantee <> 0
           and a.grantee <> c.relowner
       loop
         execute format('grant select, insert on audit_tile, audit_seal to %s', grantee);
       end loop;
     end $grants$`,
  ];
}

/** A row for each patient of a record cost 350 bytes; an array in the record and its inverted index cost 8. */
function patients(): string[] {
  return [
    `alter table audit_event add column patients smallint[]`,
    `alter table audit_event disable trigger audit_event_append_only`,
    `update audit_event e set patients = p.keys from (
       select log_id, seq, array_agg(distinct (${patientKeySql('user_id')})::smallint order by (${patientKeySql('user_id')})::smallint) as keys
       from audit_patient group by log_id, seq
     ) as p where e.log_id = p.log_id and e.seq = p.seq`,
    `alter table audit_event enable always trigger audit_event_append_only`,
    // Without a list of pending entries: no record pays for those before it, and no query reads through it.
    `create index audit_event_patients on audit_event using gin (patients) with (fastupdate = off)`,
    'drop table audit_patient',
  ];
}

function appendOnly(table: string): string[] {
  return [
    `create trigger ${table}_append_only before update or delete or truncate on ${table}
       for each statement execute function audit_refuse()`,
    // Otherwise sessions with session_replication_role = replica would bypass it.
    `alter table ${table} enable always trigger ${table}_append_only`,
  ];
}
