import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { sql } from './postgres-load.ts';
import { pointAt } from './points.ts';
import { command } from './service.ts';

/** What a store holds: every user one of whom is asked for, some with points, orders and insurances. */
export interface Size {
  readonly users: number;
  readonly points: number;
}

/** Users with points, and (more of them) with an order and an insurance; the points are shared out evenly. */
export const walkers = 1000;
export const patients = 10_000;

const samples = [...sampleEnvelopes({ users: 20 })];
const body = (kind: string, member: string): string => {
  const found = samples.find((each) => each.kind === kind) as unknown as Record<string, object>;
  return JSON.stringify(found[member]);
};
const result = body('lab_result', 'result');
const insurance = body('insurance', 'insurance');
const firstUs = Date.UTC(2020, 0, 1) * 1000;

/** The ids follow from a number, the same in JavaScript and in SQL. */
export const idOf = (kind: 'u' | 'o', n: number): string =>
  createHash('md5')
    .update(`${kind}${n}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');

const userBody = (n: number | string, id: string): string =>
  `{"user_id":"${id}","team_id":"${sampleTeamId}","client_user_id":"MRN-${n}","created_on":"2020-01-01T00:00:00+00:00","connected_sources":[],"fallback_time_zone":{"id":"Europe/Berlin","source_slug":"manual","updated_at":"2020-01-01T00:00:00+00:00"}}`;

/** Into a data folder, by an import. */
export async function fillFolder(data: string, { users, points }: Size): Promise<void> {
  await command(['import', '-', '--data', data], async (stdin) => {
    const say = async (line: string): Promise<void> => {
      if (!stdin.write(`${line}\n`)) {
        await once(stdin, 'drain');
      }
    };
    for (let n = 0; n < users; n += 1) {
      const id = idOf('u', n);
      const common = `"team_id":"${sampleTeamId}","user_id":"${id}"`;
      await say(`{"kind":"user","user":${userBody(n, id)}}`);
      if (n < patients) {
        const order = idOf('o', n);
        await say(`{"kind":"lab_result",${common},"order_id":"${order}","result":${result}}`);
        await say(
          `{"kind":"insurance",${common},"recorded_at":"2026-01-01T00:00:00Z","is_primary":true,"insurance":${insurance}}`,
        );
      }
      for (let first = 0; n < walkers && first < points / walkers; first += 1000) {
        const data = JSON.stringify(Array.from({ length: 1000 }, (_, at) => pointAt(first + at)));
        await say(
          `{"kind":"mindfulness_minutes",${common},"source":{"provider":"oura","type":"ring"},"data":${data}}`,
        );
      }
    }
    stdin.end();
  });
}

/** The same into a database, by the server itself; the tables must be there and empty. */
export async function fillDatabase(url: string, { users, points }: Size): Promise<void> {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const team = `'\\x${sampleTeamId.replaceAll('-', '')}'::bytea`;
  const id = (kind: 'u' | 'o'): string => `decode(md5('${kind}' || n), 'hex')`;
  const people = quoted(userBody('#N', '#U'));
  const stamp = (us: string): string =>
    `to_char(to_timestamp(${us} / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`;
  const start = `${firstUs} + p::bigint * 1800000000`;
  const minutes = '(5 + p % 20)';
  const statements = [
    `set synchronous_commit = off`,
    `insert into store.users select ${team}, ${id('u')}, 'MRN-' || n, ${firstUs} + n,
       replace(replace(${people}, '#N', n::text), '#U', md5('u' || n)::uuid::text)
     from generate_series(0, ${users - 1}) as n`,
    `insert into store.user_totals values (${team}, ${users})`,
    `insert into store.user_ranks select ${team}, n, ${firstUs} + n, ${id('u')}
     from generate_series(256, ${users - 1}, 256) as n`,
    `insert into store.lab_results select ${team}, ${id('o')}, ${id('u')}, ${quoted(result)}
     from generate_series(0, ${patients - 1}) as n`,
    `insert into store.insurances select ${team}, ${id('u')}, 1, 0, ${quoted(insurance)}
     from generate_series(0, ${patients - 1}) as n`,
    `insert into store.mindfulness_minutes
     select ${team}, ${id('u')}, ${start}, 'oura', 'ring', ${start} + ${minutes} * 60000000,
       '{"start":"' || ${stamp(`(${start})`)} || '","end":"' ||
       ${stamp(`(${start} + ${minutes} * 60000000)`)} || '","unit":"min","value":' || ${minutes} || '}'
     from generate_series(0, ${walkers - 1}) as n, generate_series(0, ${points / walkers - 1}) as p`,
    `vacuum analyze`,
    `checkpoint`,
  ];
  await sql(url, `${statements.join(';\n')};\n`);
}
