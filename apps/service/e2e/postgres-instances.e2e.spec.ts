import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { share } from '@caregate/seeded/seed';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { RecordIds } from '../src/audit/record-ids.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import {
  caregate,
  kill,
  newFolder,
  noLimits,
  removeFolder,
  type Running,
  start,
} from './caregate.testing.ts';

const verifier = fileURLToPath(
  new URL('../../../tools/audit-verifier/src/verify.mjs', import.meta.url),
);
const envelopes = [...sampleEnvelopes({ users: 4 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const path = `/v3/order/${order.order_id}/result`;

let server: PostgresServer;
let env: Record<string, string>;
let folder: string;
let ids: RecordIds;
const running: Running[] = [];
/** Ends what a failed test may have left asking. */
const atTheEnd = new AbortController();

beforeAll(async () => {
  // Durable, as any other: it is killed below.
  server = await startPostgres();
  env = { DATABASE_URL: server.url };
  folder = newFolder();
  const file = join(folder, 'data.ndjson');
  writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  const imported = caregate(['import', file, '--data', commands()], env);
  expect([imported.status, imported.stderr]).toEqual([0, '']);
  // The owner makes the tables; from then on nothing needs more than the README gives the service's role.
  const first = await start(['serve', '--data', join(folder, 'one')], newFolder(), env);
  expect(await first.end()).toBe(0);
  env = { DATABASE_URL: await roleOf(server.url) };
  ids = new RecordIds(await cursorSecret(server.url));
});

async function cursorSecret(url: string): Promise<Buffer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ secret: Buffer }>(
    'select secret from access.cursor_secret',
  );
  await client.end();
  return rows[0]!.secret;
}

async function roleOf(owner: string): Promise<string> {
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query(`create role service login password 'spec';
    grant usage on schema store, access, audit to service;
    grant select, insert, update, delete on all tables in schema store, access to service;
    grant select, insert on all tables in schema audit to service`);
  await client.end();
  const url = new URL(owner);
  [url.username, url.password] = ['service', 'spec'];
  return url.href;
}

afterAll(async () => {
  atTheEnd.abort();
  running.forEach(kill);
  await server.stop();
  removeFolder(folder);
});

/** An instance with a data folder of its own, for its signing key alone. */
async function instance(name: string): Promise<Running> {
  const readyIn = newFolder();
  const settings = { ...env, ...noLimits };
  const one = await start(['serve', '--data', join(folder, name)], readyIn, settings);
  running.push(one);
  return one;
}

/** The folder with the key of the log that commands are recorded in. */
const commands = (): string => join(folder, 'commands');

function newKey(): { key: string; keyId: string } {
  const made = caregate(
    [
      ...['keys', 'create', '--json', '--team', sampleTeamId, '--role', 'clinician'],
      ...['--label', 'desk', '--data', commands()],
    ],
    env,
  );
  expect([made.status, made.stderr]).toEqual([0, '']);
  const { key, key_id: keyId } = JSON.parse(made.stdout) as { key: string; key_id: string };
  return { key, keyId };
}

interface Answer {
  readonly status: number;
  /** `<log id>/<seq>`, as its id stands for. */
  readonly record: string | null;
}

async function get(one: Running, key: string): Promise<Answer> {
  try {
    const answer = await fetch(`${one.ready.base_url}${path}`, {
      headers: { 'x-service-api-key': key },
    });
    await answer.arrayBuffer();
    const place = ids.receiptOf(answer.headers.get('x-audit-record-id') ?? '');
    const record = place === undefined ? null : `${place.logId}/${place.seq}`;
    return { status: answer.status, record };
  } catch {
    return { status: 0, record: null };
  }
}

/** Asks all instances, one request soon after the other, until it is stopped; gives every answer. */
function load(
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

/** That each answer that was given has its record, and that every log verifies. */
async function requireRecorded(answers: readonly Answer[]): Promise<void> {
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeGreaterThan(0);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `select log_id || '/' || seq as id from audit.audit_event where operation = 'labOrderResult' and http_status = 200`,
  );
  await client.end();
  const recorded = new Set(rows.map(({ id }) => id));
  const ids = given.map(({ record }) => record ?? 'none');
  expect(ids.filter((id) => !recorded.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const verified = caregate(['audit', 'verify'], env);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
}

function logOf(answer: Answer): string {
  return answer.record?.split('/')[0] ?? 'none';
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds()) && !atTheEnd.signal.aborted) {
    await sleep(20);
  }
}

it('an instance says that PostgreSQL waits for no standby, at its start and while it is so', async () => {
  const one = await instance('one');
  expect(one.stdout()).toContain('PostgreSQL confirms a commit without a standby');
  const synchronous = async (): Promise<string | undefined> => {
    const text = await one.metrics();
    return /^caregate_database_synchronous (\S+)$/mu.exec(text)?.[1];
  };
  expect(await synchronous()).toBe('0');
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const reload = 'select pg_reload_conf()';
  await client.query(`alter system set synchronous_standby_names = 'nobody'`);
  await client.query(reload);
  while ((await synchronous()) !== '1') await sleep(20);
  await client.query('alter system reset synchronous_standby_names');
  await client.query(reload);
  while ((await synchronous()) !== '0') await sleep(20);
  await client.end();
  expect(await one.end()).toBe(0);
});

describe('two instances on one database', () => {
  let one: Running;
  let other: Running;
  beforeAll(async () => {
    [one, other] = await Promise.all([instance('one'), instance('other')]);
  });

  it('know a key at once, each records in a log of its own, and a revocation holds from the next request on', async () => {
    const { key, keyId } = newKey();
    const answers = [await get(one, key), await get(other, key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(logOf(answers[0]!)).not.toBe(logOf(answers[1]!));
    const revoked = caregate(['keys', 'revoke', keyId, '--data', commands()], env);
    expect(revoked.status).toBe(0);
    expect((await get(one, key)).status).toBe(401);
    expect((await get(other, key)).status).toBe(401);
    await requireRecorded(answers);
  });

  it('show an auditor all that was recorded, and prove the records of the other', async () => {
    const { key } = newKey();
    const answers = [await get(one, key), await get(other, key)];
    const made = caregate(
      [
        ...['keys', 'create', '--json', '--team', sampleTeamId, '--role', 'auditor'],
        ...['--label', 'a', '--data', commands()],
      ],
      env,
    );
    const auditor = (JSON.parse(made.stdout) as { key: string }).key;
    const ask = async (at: string): Promise<Response> =>
      await fetch(`${one.ready.base_url}${at}`, { headers: { 'x-service-api-key': auditor } });
    const page = (await (await ask('/audit/events?operation=labOrderResult')).json()) as {
      log_id: null;
      events: { record_id: string; body: { log_id: string } }[];
    };
    expect(page.log_id).toBeNull();
    const places = page.events.slice(0, 2).map(({ record_id: id }) => ids.receiptOf(id));
    expect(places.map((place) => `${place?.logId}/${place?.seq}`)).toEqual(
      answers.map(({ record }) => record).reverse(),
    );
    const log = logOf(answers[1]!);
    const ofOther = (await (await ask(`/audit/events?log=${log}`)).json()) as typeof page;
    expect(new Set(ofOther.events.map(({ body }) => body.log_id))).toEqual(new Set([log]));
    // Another instance's log is proved as far as that instance has signed it: to its start at least.
    expect((await ask(`/audit/proof?log=${log}&from=0`)).status).toBe(200);
    expect(await (await ask(`/audit/key?log=${log}`)).text()).toContain(`/audit/${log}+`);
    expect((await ask('/audit/checkpoint?log=000000000000')).status).toBe(422);
  });

  it('are verified, proved and exported by commands, against what was kept elsewhere', async () => {
    const run = async (...words: string[]): Promise<string> => {
      const { out, ...ended } = await caregateIn(env, ['audit', ...words]);
      expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
      return out;
    };
    const [keys, kept] = [join(folder, 'keys'), join(folder, 'kept')];
    writeFileSync(keys, await run('public-key'));
    writeFileSync(kept, await run('checkpoint'));
    const verified = await run('verify', '--public-key', keys, '--from-checkpoint', kept);
    expect(verified.match(/ log verified: /gu)).toHaveLength(3);
    expect(verified.match(/The given checkpoint matches this log/gu)).toHaveLength(3);
    expect(verified.match(/Public key taken from the command line/gu)).toHaveLength(3);
    const [log = ''] = readFileSync(kept, 'utf8').match(/(?<=audit\/)[0-9a-f]{12}/u) ?? [];
    const key = (await run('public-key', '--log', log)).trim();
    const note = await run('checkpoint', '--log', log);
    expect(JSON.parse(await run('prove-consistency', '0', '1', '--log', log))).toMatchObject({
      proof: [],
    });
    const data = commands();
    const exported = await run('export', '--log', log, '--data', data);
    const file = join(folder, 'log.ndjson');
    writeFileSync(file, exported);
    writeFileSync(join(folder, 'note'), note);
    const independent = spawnSync(process.execPath, [verifier, file, key, join(folder, 'note')]);
    expect([independent.status, independent.stderr.toString()]).toEqual([0, '']);
    const csv = await run(
      'export',
      '--format',
      'csv',
      '--data',
      data,
      '--operation',
      'labOrderResult',
    );
    expect(csv.trim().split('\n').length).toBeGreaterThan(3);
    const all = await run('export', '--format', 'csv', '--data', data);
    expect(all).toContain('exportAudit');
    const starts = (await run('alarms', '--data', data)).trim().split('\n');
    expect(starts.map((line) => (JSON.parse(line) as { operation: string }).operation)).toContain(
      'startUp',
    );
    const id = ids.idOf({ logId: log, seq: 0 });
    expect(JSON.parse(await run('record', id, '--data', data))).toMatchObject({
      ...{ record_id: id, log_id: log, seq: 0, body: { seq: 0 } },
    });
    expect(JSON.parse(await run('prove-inclusion', id, '--data', data))).toMatchObject({ seq: 0 });
    const other = caregate(['audit', 'verify', '--log', '000000000000'], env);
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('no such audit log')]);
  });

  it('lose no record when one is killed, which then goes on with its own log', async () => {
    const { key } = newKey();
    const loaded = load([one, other], key);
    const told = (): Set<string> =>
      new Set(loaded.answers.filter(({ status }) => status === 200).map(logOf));
    await until(() => loaded.answers.length > 100 && told().size === 2);
    await one.end('SIGKILL');
    const { length } = loaded.answers;
    await until(() => loaded.answers.slice(length).some(({ status }) => status === 200));
    const answers = await loaded.stop();
    const logs = new Set(answers.filter(({ status }) => status === 200).map(logOf));
    expect(logs.size).toBe(2);
    one = await instance('one');
    const after = await get(one, key);
    expect(after.status).toBe(200);
    expect(logs).toContain(logOf(after));
    await requireRecorded([...answers, after]);
  });

  it.each(share(['fast', 'immediate'] as const, 2))(
    'refuse while the database is down (%s), never answer unrecorded, and recover by themselves',
    async (how) => {
      const { key } = newKey();
      const loaded = load([one, other], key);
      const hasTold = (status: number): boolean =>
        loaded.answers.some((answer) => answer.status === status);
      await until(() => hasTold(200));
      await server.down(how);
      await until(() => hasTold(503));
      await until(async () => (await get(one, key)).status === 503);
      await until(async () => (await get(other, key)).status === 503);
      const ready = await fetch(`${other.ready.base_url}/readyz`);
      expect(ready.status).toBe(503);
      await server.up();
      await until(async () => (await get(one, key)).status === 200);
      await until(async () => (await get(other, key)).status === 200);
      const answers = await loaded.stop();
      const kinds = new Set(answers.map(({ status }) => status));
      expect([...kinds].sort()).toEqual([200, 503]);
      await requireRecorded(answers);
    },
  );
});
