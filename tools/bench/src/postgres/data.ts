import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pointAt } from '../timeseries.ts';
import { sql } from './load.ts';

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
const commit = 1;

/** The ids follow from a number, the same in JavaScript and in SQL. */
export const idOf = (kind: 'u' | 'o', n: number): string =>
  createHash('md5')
    .update(`${kind}${n}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');

const userBody = (n: number | string, id: string): string =>
  `{"user_id":"${id}","team_id":"${sampleTeamId}","client_user_id":"MRN-${n}","created_on":"2020-01-01T00:00:00+00:00","connected_sources":[],"fallback_time_zone":{"id":"Europe/Berlin","source_slug":"manual","updated_at":"2020-01-01T00:00:00+00:00"}}`;

/** Into a data folder that a service made and left. An import of as much takes many minutes, and is measured elsewhere. */
export function fillFolder(data: string, { users, points }: Size): void {
  const db = new DatabaseSync(join(data, 'store.db'));
  const into = (table: string, columns: number): StatementSync =>
    db.prepare(`insert into ${table} values (${Array(columns).fill('?').join(', ')})`);
  const user = into('users', 6);
  const [labResult, insured] = [into('lab_results', 5), into('insurances', 6)];
  const minutes = into('mindfulness_minutes', 8);
  const team = bytesOf(sampleTeamId);
  const each = Array.from({ length: points / walkers }, (_, at) => {
    const point = pointAt(at);
    const [startUs, endUs] = [point.start, point.end].map((text) => Date.parse(text) * 1000);
    return [startUs ?? 0, 'oura', 'ring', endUs ?? 0, commit, JSON.stringify(point)] as const;
  });
  db.exec('pragma synchronous = off; begin');
  into('commits', 2).run(commit, firstUs);
  for (let n = 0; n < users; n += 1) {
    const id = idOf('u', n);
    const bytes = bytesOf(id);
    user.run(team, bytes, `MRN-${n}`, firstUs + n, commit, userBody(n, id));
    if (n < patients) {
      labResult.run(team, bytesOf(idOf('o', n)), bytes, commit, result);
      insured.run(team, bytes, 1, 0, commit, insurance);
    }
    if (n < walkers) {
      each.forEach((point) => minutes.run(team, bytes, ...point));
    }
  }
  into('user_totals', 2).run(team, users);
  db.exec('commit; pragma optimize');
  db.close();
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** The same into a database, by the server itself; the tables must be there. What they hold is gone. */
export async function fillDatabase(url: string, { users, points }: Size): Promise<void> {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const team = `'\\x${sampleTeamId.replaceAll('-', '')}'::bytea`;
  const id = (kind: 'u' | 'o'): string => `decode(md5('${kind}' || n), 'hex')`;
  const people = quoted(userBody('#N', '#U'));
  const stamp = (us: string): string =>
    `to_char(to_timestamp(${us} / 1000000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`;
  const tables = ['users', 'user_totals', 'lab_results', 'insurances', 'commits'];
  const statements = [
    // In one transaction that also empties the tables: a server whose `wal_level` is minimal then logs none of it.
    `begin`,
    `truncate store.mindfulness_minutes, ${tables.map((name) => `store.${name}`).join(', ')} cascade`,
    `insert into store.commits values (${commit}, ${firstUs})`,
    `insert into store.users select ${team}, ${id('u')}, 'MRN-' || n, ${firstUs} + n, ${commit},
       replace(replace(${people}, '#N', n::text), '#U', md5('u' || n)::uuid::text)
     from generate_series(0, ${users - 1}) as n`,
    `insert into store.user_totals values (${team}, ${users})`,
    `insert into store.lab_results select ${team}, ${id('o')}, ${id('u')}, ${commit}, ${quoted(result)}
     from generate_series(0, ${patients - 1}) as n`,
    `insert into store.insurances select ${team}, ${id('u')}, 1, 0, ${commit}, ${quoted(insurance)}
     from generate_series(0, ${patients - 1}) as n`,
    `create temporary table points on commit drop as
     select start_us, start_us + minutes * 60000000 as end_us,
       '{"start":"' || ${stamp('start_us')} || '","end":"' || ${stamp('(start_us + minutes * 60000000)')} ||
       '","unit":"min","value":' || minutes || '}' as body
     from (select ${firstUs} + p::bigint * 1800000000 as start_us, 5 + p % 20 as minutes
           from generate_series(0, ${points / walkers - 1}) as p) as made`,
    // Person by person, as `offset 0` and the id in it keep the order of the two loops.
    `insert into store.mindfulness_minutes
     select ${team}, id, start_us, 'oura', 'ring', end_us, ${commit}, body
     from (select ${id('u')} as id from generate_series(0, ${walkers - 1}) as n) as people
     cross join lateral (select * from points where id is not null offset 0) as each`,
    `commit`,
    `vacuum analyze`,
    `checkpoint`,
  ];
  await sql(url, `${statements.join(';\n')};\n`);
}
