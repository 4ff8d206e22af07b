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
import { newFolder, noLimits, type Running, start } from './caregate.testing.ts';

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
/** Stops clients that a failed test may have left running. */
const atTheEnd = new AbortController();

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
async function inDatabase<Rows>(statement: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows as Rows;
}

/** Runs a command, and returns its output. Its data folder has the signing key for the commands' log. */
async function runCommand(...words: string[]): Promise<string> {
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
async function instance(name: string): Promise<Running> {
  const settings = { ...env, ...noLimits };
  return await start(['serve', '--data', join(folder, name)], newFolder(), settings);
}

async function newKey(role = 'clinician'): Promise<{ key: string; key_id: string }> {
  const words = ['--team', sampleTeamId, '--role', role, '--label', 'x', '--json'];
  return JSON.parse(await runCommand('keys', 'create', ...words)) as {
    key: string;
    key_id: string;
  };
}

interface Answer {
  readonly status: number;
  /** `<log id>/<seq>` of the audit record that the response names. */
  readonly record: string | null;
}

async function get(one: Running, key: string): Promise<Answer> {
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

/** Requires that each successful response has its own record, and that every log verifies. */
async function requireRecorded(answers: readonly Answer[]): Promise<void> {
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

function logOf(answer: Answer): string {
  return answer.record?.split('/')[0] ?? 'none';
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds()) && !atTheEnd.signal.aborted) {
    await sleep(20);
  }
}

describe('two instances on one database', () => {
  let one: Running;
  let other: Running;
  beforeAll(async () => {
    [one, other] = await Promise.all([instance('one'), instance('other')]);
    const [{ secret }] = await inDatabase<[{ secret: Buffer }]>(
      'select secret from access.permanent_secret',
    );
    ids = new RecordIds(secret);
  });

  it('say that PostgreSQL waits for no standby, at their start and while it is so', async () => {
    expect(one.stdout()).toContain('PostgreSQL confirms a commit without a standby');
    const synchronous = async (): Promise<string | undefined> => {
      const text = await one.metrics();
      return /^caregate_database_synchronous (\S+)$/mu.exec(text)?.[1];
    };
    expect(await synchronous()).toBe('0');
    for (const [statement, is] of [
      [`alter system set synchronous_standby_names = 'nobody'`, '1'],
      ['alter system reset synchronous_standby_names', '0'],
    ] as const) {
      await inDatabase(statement);
      await inDatabase('select pg_reload_conf()');
      while ((await synchronous()) !== is) await sleep(20);
    }
  });

  it('know a key at once, each records in a log of its own, and a revocation holds from the next request on', async () => {
    const { key, key_id: keyId } = await newKey();
    const answers = [await get(one, key), await get(other, key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(logOf(answers[0]!)).not.toBe(logOf(answers[1]!));
    const { key: auditor } = await newKey('auditor');
    const ask = async (at: string): Promise<Response> =>
      await fetch(`${one.ready.base_url}${at}`, { headers: { 'x-service-api-key': auditor } });
    const page = (await (await ask('/audit/events?operation=labOrderResult')).json()) as {
      events: { record_id: string }[];
    };
    const places = page.events.slice(0, 2).map(({ record_id: id }) => ids.decrypt(id));
    expect(places.map((place) => `${place?.logId}/${place?.seq}`)).toEqual(
      answers.map(({ record }) => record).reverse(),
    );
    // Another instance has signed its log at least at its start, so this proof exists.
    expect((await ask(`/audit/proof?log=${logOf(answers[1]!)}&from=0`)).status).toBe(200);
    await runCommand('keys', 'revoke', keyId);
    expect((await get(one, key)).status).toBe(401);
    expect((await get(other, key)).status).toBe(401);
    await requireRecorded(answers);
  });

  it('are verified, proved and exported by commands, against what was kept elsewhere', async () => {
    const [keys, kept] = [join(folder, 'keys'), join(folder, 'kept')];
    writeFileSync(keys, await runCommand('audit', 'public-key'));
    writeFileSync(kept, await runCommand('audit', 'checkpoint'));
    const proof = ['--public-key', keys, '--checkpoint', kept];
    const verified = await runCommand('audit', 'verify', ...proof);
    for (const line of [
      'Log verified: ',
      'extends the given checkpoint',
      'by the given public key',
    ]) {
      expect([line, verified.split(line).length - 1]).toEqual([line, 3]);
    }
    const [log = ''] = readFileSync(kept, 'utf8').match(/(?<=audit\/)[0-9a-f]{12}/u) ?? [];
    const key = (await runCommand('audit', 'public-key', '--log', log)).trim();
    const [file, note] = [join(folder, 'log.ndjson'), join(folder, 'note')];
    writeFileSync(note, await runCommand('audit', 'checkpoint', '--log', log));
    writeFileSync(file, await runCommand('audit', 'export', '--log', log));
    const independent = spawnSync(process.execPath, [verifier, file, key, note]);
    expect([independent.status, independent.stderr.toString()]).toEqual([0, '']);
    const csv = await runCommand('audit', 'export', '--format', 'csv');
    expect(
      new Set(csv.match(/^"\d+","[^"]+","[0-9a-f]{12}"/gmu)?.map((line) => line.slice(-13))),
    ).toHaveProperty('size', 3);
    expect(csv).toContain('exportAudit');
    expect(await runCommand('audit', 'alarms')).not.toContain('startUp');
    const id = ids.encrypt({ logId: log, seq: 0 });
    expect(JSON.parse(await runCommand('audit', 'events', '--record', id))).toMatchObject({
      ...{ log_id: log, seq: 0, operation: 'openAuditLog' },
    });
    const none = await caregateIn(env, ['audit', 'verify', '--log', '000000000000']);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no such audit log')]);
  });

  it('are restarted, one after the other, without a failed request', async () => {
    const { key } = await newKey();
    const instances = [one, other];
    const answers: Answer[] = [];
    let goesOn = true;
    // Like a load balancer, tries the other instance if one refuses or is stopping.
    const clients = [0, 1, 2].map(async (n) => {
      for (let turn = n; goesOn && !atTheEnd.signal.aborted; turn += 1) {
        const answer = await get(instances[turn % 2]!, key);
        const isRefused = answer.status === 0 || answer.status === 503;
        answers.push(isRefused ? await get(instances[(turn + 1) % 2]!, key) : answer);
        await sleep(10);
      }
    });
    const tenMore = async (): Promise<void> => {
      const { length } = answers;
      await until(() => answers.length > length + 10);
    };
    for (const [n, name] of ['one', 'other'].entries()) {
      expect(await instances[n]!.end('SIGTERM')).toBe(0);
      await tenMore();
      instances[n] = await instance(name);
      // No client uses the stopped instance any more when the next one stops.
      await tenMore();
    }
    [one, other] = instances as [Running, Running];
    goesOn = false;
    await Promise.all(clients);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('fail no request while the API key, the secret of cursors and both signing keys are rotated', async () => {
    const { key, key_id: keyId } = await newKey();
    const old = load([one, other], key);
    const { key: next } = JSON.parse(await runCommand('keys', 'rotate', keyId, '--json')) as {
      key: string;
    };
    const rotated = load([one, other], next);
    await runCommand('secrets', 'rotate');
    for (const name of ['one', 'other']) {
      await runCommand('audit', 'rotate-key', '--data', join(folder, name));
      const counts = [old, rotated].map(({ answers }) => answers.length);
      await until(() => [old, rotated].every(({ answers }, n) => answers.length > counts[n]! + 10));
    }
    const answers = [...(await old.stop()), ...(await rotated.stop())];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await requireRecorded(answers);
  });

  it('lose no record when one is killed, which then goes on with its own log', async () => {
    const { key } = await newKey();
    const loaded = load([one, other], key);
    const answering = (): Set<string> =>
      new Set(loaded.answers.filter(({ status }) => status === 200).map(logOf));
    await until(() => loaded.answers.length > 100 && answering().size === 2);
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
      const { key } = await newKey();
      const loaded = load([one, other], key);
      const hasAnswered = (status: number): boolean =>
        loaded.answers.some((answer) => answer.status === status);
      await until(() => hasAnswered(200));
      await server.down(how);
      await until(() => hasAnswered(503));
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
