import { sampleTeamId } from '@caregate/sample-data';
import { patients } from './data.ts';
import { sql } from './load.ts';

export interface Script {
  readonly what: string;
  readonly text: string;
  /** What part of its rate the service is to reach. */
  readonly least?: number;
  readonly leastOfFour?: number;
}

/** The service must have run the statements before: a key and a record are taken from there. */
export async function pgbenchScripts(
  url: string,
  users: number,
): Promise<Readonly<Record<string, readonly Script[]>>> {
  const keyId = await sql(url, 'select key_id from access.keys order by created_ms desc limit 1;');
  const team = `'\\x${sampleTeamId.replaceAll('-', '')}'::bytea`;
  const pick = (below: number): string => `\\set n random(0, ${below - 1})\n`;
  const id = (kind: 'u' | 'o'): string => `decode(md5('${kind}' || :n), 'hex')`;
  const key = `select * from access.keys where key_id = '${keyId}';\n`;
  const resolve = `${pick(users)}%select user_id, body from store.users where team_id = ${team} and client_user_id = 'MRN-' || :n;\n`;
  const insurance = `${pick(patients)}%select user_id, body from store.insurances where team_id = ${team} and user_id = ${id('u')} and is_primary = 1 order by recorded_us desc limit 1;\n`;
  const lab = `${pick(patients)}%select user_id, body from store.lab_results where team_id = ${team} and order_id = ${id('o')};\n`;
  const whole = async (read: string, operation: string, least: number): Promise<Script> => ({
    what: 'key, read and audit record',
    text: read.replace('%', key) + (await appendScript(url, operation)),
    least,
  });
  return {
    'resolve a user': [
      { ...(await whole(resolve, 'resolveUser', 0.75)), leastOfFour: 0.5 },
      { what: 'key and read', text: resolve.replace('%', key) },
      { what: 'read alone', text: resolve.replace('%', '') },
    ],
    'latest insurance': [await whole(insurance, 'latestInsurance', 0.7)],
    'lab order result': [await whole(lab, 'labOrderResult', 0.7)],
  };
}

/** One record as one commit, as the service's statement writes it: the record, and the signed head of its tree. */
async function appendScript(url: string, operation: string): Promise<string> {
  const columns = await sql(
    url,
    `select string_agg(attname, ', ' order by attnum) from pg_attribute
     where attrelid = 'audit.audit_record'::regclass and attnum > 2;`,
  );
  await sql(
    url,
    `drop table if exists bench_${operation};
     create table bench_${operation} as
       select ${columns} from audit.audit_record where operation = '${operation}' limit 1;`,
  );
  const log = `'bench ' || :run || ' ' || :client_id`;
  const hash = `decode(repeat('00', 32), 'hex')`;
  const signature = `decode(repeat('00', 68), 'hex')`;
  return `\\set seq :seq + 1
with record as (
  insert into audit.audit_record (log_id, seq, ${columns})
  select ${log}, :seq::bigint, ${columns} from bench_${operation}
)
insert into audit.audit_head (log_id, size, root, signature, signed_at_us)
values (${log}, :seq::bigint + 1, ${hash}, ${signature}, 0);
`;
}
