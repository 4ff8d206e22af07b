import { ownStart } from '../../entry/record-text.ts';
import { bytesInBlock } from '../../tree/blocks.ts';
import type { Copies } from './copies.ts';

export const auditTables = [
  'audit_log',
  'audit_event',
  'audit_node',
  'audit_seal',
  'audit_checkpoint',
] as const;

/** Body of the trigger function, compared by verification. */
export const refusal = `
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end`;

/** Run in one transaction by the owner, with the search path `audit`. Verification compares the columns `copies`. */
export function logTables(copies: Copies): string[] {
  const columns = Object.entries(copies).map(([name, type]) => `, ${name} ${type}`);
  // "C" sorts by bytes.
  return [
    `create table audit_log (
       log_id text collate "C" primary key, origin text not null, verifier_key text not null,
       created_at_us bigint not null)`,
    // A verifier key ends with the public key, by which an instance finds its logs.
    `create index audit_log_key on audit_log (right(verifier_key, 44))`,
    `create table audit_event (
       log_id text collate "C" not null, seq bigint not null check (seq >= 0),
       leaf_hash bytea not null check (length(leaf_hash) = 32),
       salt bytea not null check (length(salt) = 16),
       body text not null${columns.join('')},
       primary key (log_id, seq))`,
    `create index audit_event_own on audit_event (log_id, seq) where starts_with(body, '${ownStart}')`,
    // The root is a hash of the block above, which is a row only once it is full.
    `create table audit_node (
       log_id text collate "C" not null, level smallint not null check (level >= 0), idx bigint not null check (idx >= 0),
       root bytea not null check (length(root) = 32), hashes bytea not null check (length(hashes) = ${bytesInBlock}),
       primary key (log_id, level, idx))`,
    // Hashes do not compress.
    `alter table audit_node alter column hashes set storage external`,
    `create table audit_seal (
       log_id text collate "C" not null, first bigint not null, size bigint not null check (size > first),
       root bytea not null check (length(root) = 32), checkpoint_size bigint not null check (checkpoint_size >= 0),
       signature bytea not null check (length(signature) = 64), primary key (log_id, size))`,
    `create table audit_checkpoint (
       log_id text collate "C" not null, size bigint not null, note text not null,
       primary key (log_id, size))`,
    `create function audit_refuse() returns trigger language plpgsql as $refusal$${refusal}$refusal$`,
    ...auditTables.flatMap(appendOnly),
  ];
}

function appendOnly(table: string): string[] {
  return [
    `create trigger ${table}_append_only before update or delete or truncate on ${table}
       for each statement execute function audit_refuse()`,
    // Also for sessions with session_replication_role = replica.
    `alter table ${table} enable always trigger ${table}_append_only`,
  ];
}
