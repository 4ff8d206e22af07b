import { sampleTeamId } from '@caregate/sample-data';
import { sql } from './load.ts';

/** What the service asks of PostgreSQL for one resolve, for pgbench. */
export interface Script {
  readonly what: string;
  readonly text: string;
  readonly promised: boolean;
}

/** The statements have been run by the service before: a key and a record are taken from there. */
export async function resolveScripts(url: string, users: number): Promise<Script[]> {
  const keyId = await sql(url, 'select key_id from access.keys order by created_ms desc limit 1;');
  const team = `'\\x${sampleTeamId.replaceAll('-', '')}'::bytea`;
  const pick = `\\set n random(0, ${users - 1})\n`;
  const key = `select * from access.keys where key_id = '${keyId}';\n`;
  const resolve = `select user_id, body from store.users where team_id = ${team} and client_user_id = 'MRN-' || :n;\n`;
  const record = await appendScript(url);
  return [
    {
      what: 'key, resolve and audit record',
      text: `${pick}${key}${resolve}${record}`,
      promised: true,
    },
    { what: 'key and resolve', text: `${pick}${key}${resolve}`, promised: false },
    { what: 'resolve alone', text: `${pick}${resolve}`, promised: false },
  ];
}

/** One record as one commit, as the service's statement writes it: event, seal. */
async function appendScript(url: string): Promise<string> {
  const columns = await sql(
    url,
    `select string_agg(attname, ', ' order by attnum) from pg_attribute
     where attrelid = 'audit.audit_event'::regclass and attnum > 2;`,
  );
  await sql(
    url,
    `drop table if exists bench_record;
     create table bench_record as
       select ${columns} from audit.audit_event where operation = 'resolveUser' limit 1;`,
  );
  const log = `'bench ' || :run || ' ' || :client_id`;
  const hash = `decode(repeat('00', 32), 'hex')`;
  const signature = `decode(repeat('00', 64), 'hex')`;
  return `\\set seq :seq + 1
with event as (
  insert into audit.audit_event (log_id, seq, ${columns})
  select ${log}, :seq::bigint, ${columns} from bench_record
)
insert into audit.audit_seal values (${log}, :seq::bigint, ${hash}, 0, ${signature});
`;
}
