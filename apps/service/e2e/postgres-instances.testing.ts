import { afterAll, beforeAll, expect } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { RecordIds } from '../src/audit/record-ids.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import { newFolder, noLimits, type Running, start } from './caregate.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 4 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const path = `/v3/order/${order.order_id}/result`;

export let server: PostgresServer;
export let env: Record<string, string>;
export let folder: string;
export let ids: RecordIds;
/** Stops clients that a failed test may have left running. */
export const atTheEnd = new AbortController();

beforeAll(async () => {
  // Durable (no `fsync: 'off'`), since it is killed below.
  server = await startPostgres();
  env = { DATABASE_URL: server.url };
  folder = newFolder();
  const file = join(folder, 'data.ndjson');
  writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  await runCommand('import', file);
  // The owner creates the tables. Afterwards, the permissions in docs/operations.md are enough.
  await newKey();
  await inDatabase(`create role service login password 'spec';
    grant usage on schema store, access, audit to service;
    grant select, insert, update, delete on all tables in schema store, access to service;
    grant select, insert on all tables in schema audit to service;
    grant update on audit.audit_log to service`);
  const url = new URL(server.url);
  [url.username, url.password] = ['service', 'spec'];
  env = { DATABASE_URL: url.href };
});

/** Runs a statement as the owner of the database. */
export async function inDatabase<Rows>(statement: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows as Rows;
}

/** Runs a command, and returns its output. Its data folder has the signing key for the commands' log. */
export async function runCommand(...words: string[]): Promise<string> {
  const settings = { ...env, CAREGATE_DATA: join(folder, 'commands') };
  const { out, ...ended } = await caregateIn(settings, words);
  expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
  return out;
}

afterAll(async () => {
  atTheEnd.abort();
  await server.stop();
});

/** Starts an instance. Its data folder only has its signing key. */
export async function instance(name: string): Promise<Running> {
  const settings = { ...env, ...noLimits };
  return await start(['serve', '--data', join(folder, name)], newFolder(), settings);
}

export async function newKey(role = 'clinician'): Promise<{ key: string; key_id: string }> {
  const words = ['--team', sampleTeamId, '--role', role, '--label', 'x', '--json'];
  return JSON.parse(await runCommand('keys', 'create', ...words)) as {
    key: string;
    key_id: string;
  };
}

export interface Answer {
  readonly status: number;
  /** `<log id>/<seq>` of the audit record that the response names. */
  readonly record: string | null;
}

export async function get(one: Running, key: string): Promise<Answer> {
  try {
    const answer = await fetch(`${one.ready.base_url}${path}`, {
      headers: { 'x-service-api-key': key },
    });
    await answer.arrayBuffer();
    const place = ids.decrypt(answer.headers.get('x-audit-record-id') ?? '');
    const record = place === undefined ? null : `${place.logId}/${place.seq}`;
    return { status: answer.status, record };
  } catch {
    return { status: 0, record: null };
  }
}

/** Sends requests to all instances until it is stopped, and collects the responses. */
export function load(
  ones: readonly Running[],
  key: string,
): { readonly answers: readonly Answer[]; stop(): Promise<Answer[]> } {
  const answers: Answer[] = [];
  let goesOn = true;
  const all = ones
    .flatMap((one) => [one, one])
    .map(async (one) => {
      while (goesOn && !atTheEnd.signal.aborted) {
        const answer = await get(one, key);
        answers.push(answer);
        await sleep(answer.status === 200 ? 2 : 20);
      }
    });
  return {
    answers,
    stop: async () => {
      goesOn = false;
      await Promise.all(all);
      return answers;
    },
  };
}

/** Requires that each successful response has its own record, and that every log verifies. */
export async function requireRecorded(answers: readonly Answer[]): Promise<void> {
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeGreaterThan(0);
  const rows = await inDatabase<{ id: string }[]>(
    `select log_id || '/' || seq as id from audit.audit_record where operation = 'labOrderResult' and body::json ->> 'http_status' = '200'`,
  );
  const recorded = new Set(rows.map(({ id }) => id));
  const ids = given.map(({ record }) => record ?? 'none');
  expect(ids.filter((id) => !recorded.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  await runCommand('audit', 'verify');
}

export function logOf(answer: Answer): string {
  return answer.record?.split('/')[0] ?? 'none';
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds()) && !atTheEnd.signal.aborted) {
    await sleep(20);
  }
}

/** Starts the two instances that a spec tests. */
export async function startBoth(): Promise<[Running, Running]> {
  const both = await Promise.all([instance('one'), instance('other')]);
  const [{ secret }] = await inDatabase<[{ secret: Buffer }]>(
    'select secret from access.permanent_secret',
  );
  ids = new RecordIds(secret);
  return both;
}
