import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPostgres, startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bin, caregate, newFolder, start, type Running } from './caregate.testing.ts';
import { caregateIn, type Ended } from '../src/cli/caregate.testing.ts';
import { editLog } from '../src/audit/records.testing.ts';
import { openStoreForWriting, ImportWriter } from '@caregate/data-store';

const otherTeam = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const teams = [sampleTeamId, otherTeam];
const envelopes = teams.map((teamId, at) =>
  [
    ...sampleEnvelopes({ users: at === 0 ? 20 : 3, teamId, mindfulnessDays: 3 }),
    // Enough people for many pages.
    ...(at === 0 ? sampleEnvelopes({ users: 280, first: 20, teamId, kinds: ['user'] }) : []),
  ].map((each) =>
    each.kind === 'user'
      ? { ...each, user: { ...each.user, client_user_id: `${at} ${each.user.client_user_id}` } }
      : each,
  ),
);
const all = envelopes.flat();
/** A user with more points than one page has. */
const walker = envelopes[0]!.find((each) => each.kind === 'user')!.user.user_id;
const reason = 'Found without consciousness, allergies unknown';

let server: PostgresServer;
let folder: string;
/** The data folder of a service that was stopped. Each test works on a copy. */
let source: string;
let kept: { readonly key: string; readonly note: string; readonly notePath: string };
let keys: Record<'clinician' | 'other' | 'auditor' | 'desk' | 'revoked', string>;
let answers: ReadonlyMap<string, string>;
let cursor: string;

beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
  folder = newFolder();
  source = join(folder, 'source');
  const file = join(folder, 'people.ndjson');
  const points = Array.from({ length: 1500 }, (_, minute) => {
    const at = (plus: number): string =>
      new Date(Date.UTC(2026, 0, 1, 0, minute + plus)).toISOString().replace('.000Z', '+00:00');
    return { start: at(0), end: at(1), unit: 'min', value: 1 };
  });
  const walked = {
    kind: 'mindfulness_minutes',
    team_id: sampleTeamId,
    user_id: walker,
    // Contains all characters that COPY interprets.
    source: { provider: 'oura', type: 'ring\\N\t"\\\\.\n' },
    data: points,
  };
  writeFileSync(file, [...all, walked].map((each) => `${JSON.stringify(each)}\n`).join(''));
  await setUp('import', file);
  keys = {
    clinician: (await newKey(sampleTeamId, 'clinician')).key,
    other: (await newKey(otherTeam, 'clinician')).key,
    auditor: (await newKey(sampleTeamId, 'auditor')).key,
    desk: (await newKey(sampleTeamId, 'front_desk')).key,
    revoked: '',
  };
  const gone = await newKey(sampleTeamId, 'clinician');
  keys.revoked = gone.key;
  await setUp('keys', 'revoke', gone.key_id);
  const service = await start(['serve', '--data', source], newFolder());
  answers = await answersOf(service);
  cursor = nextOf(answers.get(pagePath) ?? '');
  const why = { reason_code: 'other', text: reason, user_id: walker };
  expect(await ask(service, '/access/break-glass', keys.desk, why)).toMatch(/^201 /u);
  const note = await setUp('audit', 'checkpoint');
  const notePath = join(folder, 'note');
  writeFileSync(notePath, note);
  kept = { key: (await setUp('audit', 'public-key')).trim(), note, notePath };
  // A record after the kept checkpoint.
  await ask(service, pagePath, keys.clinician);
  expect(await service.end()).toBe(0);
});

afterAll(() => server.stop());

/** Runs a command in this process, and returns its output. */
async function done(env: Record<string, string>, ...words: string[]): Promise<string> {
  const { out, ...ended } = await caregateIn(env, words);
  expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
  return out;
}

const setUp = (...words: string[]): Promise<string> => done({ CAREGATE_DATA: source }, ...words);

async function newKey(team: string, role: string): Promise<{ key: string; key_id: string }> {
  const flags = ['--team', team, '--role', role, '--label', 'x', '--json'];
  return JSON.parse(await setUp('keys', 'create', ...flags)) as never;
}

let copies = 0;
function copyOfSource(): string {
  copies += 1;
  const to = join(folder, `copy-${copies}`);
  cpSync(source, to, { recursive: true });
  return to;
}

const moving = (data: string): string[] => ['move', '--from', data];
const move = (data: string, to: string): Promise<Ended> =>
  caregateIn({ DATABASE_URL: to }, moving(data));
const refused = (code: number, message: string): object => ({
  ...{ code, out: '', err: expect.stringContaining(message) },
});

async function ask(one: Running, path: string, key: string, body?: object): Promise<string> {
  const answer = await fetch(`${one.ready.base_url}${path}`, {
    headers: { 'x-service-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return `${answer.status} ${await answer.text()}`;
}
const search = (one: Running, text: string, key: string): Promise<string> =>
  ask(one, '/desk/people/search', key, { text, limit: 20 });

const pagePath = `/v2/timeseries/${walker}/mindfulness_minutes/grouped?start_date=2020-01-01`;
const nextOf = (answer: string): string => /"next":"([^"]+)"/u.exec(answer)?.[1] ?? '';
/** Removes cursors, which are encrypted differently each time. */
const withoutCursor = (answer: string): string => answer.replaceAll(/"v?[\w-]{40,}"/gu, '"cursor"');

/** Returns responses for users of both teams by path. Requires that the other team's key gets 404. */
async function answersOf(one: Running): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [at, teamId] of teams.entries()) {
    const own = at === 0 ? keys.clinician : keys.other;
    const foreign = at === 0 ? keys.other : keys.clinician;
    const people = envelopes[at]!.filter((each) => each.kind === 'user').slice(0, 2);
    const orders = envelopes[at]!.filter((each) => each.kind === 'lab_result').slice(0, 2);
    const paths = [
      ...people.flatMap(({ user }) => [
        `/v2/user/resolve/${encodeURIComponent(user.client_user_id)}`,
        `/v2/user/${user.user_id}/insurance/latest`,
        `/v2/timeseries/${user.user_id}/mindfulness_minutes/grouped?start_date=2020-01-01`,
      ]),
      ...orders.flatMap(({ order_id: id }) => [
        `/v3/order/${id}/result`,
        `/desk/orders/${id}/history`,
      ]),
    ];
    for (const path of paths) {
      found.set(path, await ask(one, path, own));
      expect([path, (await ask(one, path, foreign)).slice(0, 3)]).toEqual([path, '404']);
    }
    for (const { result, user_id: userId } of orders) {
      const { patient } = result.metadata;
      for (const text of [patient ?? userId, (patient ?? userId).slice(0, 4), userId]) {
        const people = await search(one, text, own);
        expect([text, people]).toEqual([text, expect.stringContaining(userId)]);
        found.set(`search ${text} ${teamId}`, people);
        expect(await search(one, text, foreign)).not.toContain(userId);
      }
    }
    for (const page of [1, 2]) {
      const path = `/v3/orders?size=40&page=${page}`;
      found.set(`${path} ${teamId}`, await ask(one, path, own));
    }
    for (const offset of [0, 2, 257, 299]) {
      const path = `/v2/user?offset=${offset}&limit=7`;
      found.set(`${path} ${teamId}`, await ask(one, path, own));
    }
  }
  const statuses = [...found.values()].map((answer) => answer.slice(0, 3));
  expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(20);
  return found;
}

async function inDatabase<T>(url: string, what: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await what(db);
  } finally {
    await db.end();
  }
}

/** Returns the number of the service's tables in a database. */
async function tables(url: string): Promise<number> {
  return await count(url, `pg_tables where schemaname in ('store', 'access', 'audit')`);
}

async function count(url: string, from: string): Promise<number> {
  return await inDatabase(url, async (db) => {
    const { rows } = await db.query<{ count: string }>(`select count(*) as count from ${from}`);
    return Number(rows[0]!.count);
  });
}

describe('caregate move', () => {
  it('moves everything: responses, keys, cursors and grants stay the same, and the log continues', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const env = { DATABASE_URL: url };
    const first = caregate(moving(data), env);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('303 users');
    expect(readdirSync(data).sort()).toEqual([
      'access.db.moved',
      'audit-key.pem',
      'audit-log-id',
      'audit.db.moved',
      'metrics-token',
      'moved-to-database',
      'service-lock.db',
      'store.db.moved',
    ]);
    for (const [kind, table] of [
      ['user', 'store.users'],
      ['lab_result', 'store.lab_results'],
      ['insurance', 'store.insurances'],
    ] as const) {
      const lines = all.filter((each) => each.kind === kind);
      // The file has a corrected result twice.
      const keys = lines.map((each, at) => (each.kind === 'lab_result' ? each.order_id : at));
      expect(await count(url, table)).toBe(new Set<number | string>(keys).size);
    }
    const checkpoint = ['--checkpoint', kept.notePath];
    const key = ['--public-key', kept.key];
    expect(await done(env, 'audit', 'verify', ...checkpoint, ...key)).toContain(
      'It extends the given checkpoint.',
    );
    const size = Number(kept.note.split('\n')[1]);
    const total = await count(url, 'audit.audit_record');
    expect(total).toBeGreaterThan(size + 1);

    const service = await start(['serve', '--data', data], newFolder(), env);
    const after = await answersOf(service);
    for (const [path, answer] of answers) {
      expect([path, withoutCursor(after.get(path) ?? '')]).toEqual([path, withoutCursor(answer)]);
    }
    const rest = await ask(service, `${pagePath}&next_cursor=${cursor}`, keys.clinician);
    expect(rest.slice(0, 3)).toBe('200');
    expect(rest).not.toBe(after.get(pagePath));
    expect((await ask(service, pagePath, keys.revoked)).slice(0, 3)).toBe('401');
    expect(await done(env, 'access', 'break-glass', 'list', '--json')).toContain(reason);
    // The secret that hashes client user IDs is moved, too, so that hashes before and after are equal.
    const hidden = await inDatabase(url, async (db) => {
      const { rows } = await db.query<{ hidden: string; times: string }>(
        `select body::json->'details'->>'client_user_id_hmac' as hidden, count(*) as times
         from audit.audit_record where operation = 'resolveUser' and decision = 'allowed' group by 1`,
      );
      return rows;
    });
    // Four users were requested, once before the move and once after it.
    expect(hidden.map(({ times }) => times)).toEqual(['2', '2', '2', '2']);
    expect(hidden.every(({ hidden: text }) => text.length === 43)).toBe(true);
    expect(await service.end()).toBe(0);
    const { rows: logs } = await inDatabase(url, (db) => db.query('select from audit.audit_log'));
    expect(logs).toHaveLength(1);
    const moved = await count(url, `audit.audit_record where operation = 'moveToDatabase'`);
    expect(moved).toBe(1);
    await done(env, 'audit', 'verify', ...checkpoint);

    // All commands refuse the moved folder.
    for (const words of [
      ['serve', '--port', '0'],
      ['keys', 'list'],
      ['audit', 'checkpoint'],
    ]) {
      const ended = await caregateIn({}, [...words, '--data', data]);
      expect([words, ended]).toEqual([words, refused(1, 'set DATABASE_URL')]);
    }
    expect(await move(data, await server.database())).toEqual(
      refused(1, 'was moved to PostgreSQL'),
    );

    // Changes one character of a moved record.
    await inDatabase(url, (db) =>
      db.query(`set session_replication_role = replica;
        alter table audit.audit_record disable trigger audit_record_append_only;
        update audit.audit_record set body = replace(body, '"listUsers"', '"listUser5"')
          where seq = (select min(seq) from audit.audit_record where operation = 'listUsers');
        alter table audit.audit_record enable trigger audit_record_append_only`),
    );
    expect(await caregateIn(env, ['audit', 'verify'])).toEqual(refused(2, 'differ from its body'));
  });

  it('is refused by caregate backup and restore, which name pg_dump; a dump restores everything', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const env = { DATABASE_URL: url };
    await done(env, ...moving(data));
    const { host, pathname } = new URL(url);
    const address = `${host}${pathname}`;
    for (const from of [{}, env]) {
      for (const to of [join(folder, 'no-backup'), '--stdout']) {
        const { err, ...ended } = await caregateIn(from, ['backup', to, '--data', data]);
        expect(ended).toEqual({ code: 2, out: '' });
        expect(err).toBe(
          `caregate backup is for data folders, and the data of ${data} is in PostgreSQL at ${address}. Back up that database with pg_dump or pg_basebackup, and copy ${data}/audit-key.pem and ${data}/audit-log-id.\n`,
        );
      }
      expect(await caregateIn(from, ['restore', source, '--data', data])).toEqual(
        refused(2, 'pg_restore'),
      );
    }
    expect(existsSync(join(folder, 'no-backup'))).toBe(false);

    const [programs, dump] = [findPostgres(), join(folder, 'dump.sql')];
    execFileSync(programs('pg_dump'), ['--no-owner', '--file', dump, url]);
    const restored = { DATABASE_URL: await server.database(), CAREGATE_DATA: newFolder() };
    const into = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, restored.DATABASE_URL];
    execFileSync(programs('psql'), into, { stdio: 'ignore' });
    for (const name of ['audit-key.pem', 'audit-log-id']) {
      cpSync(join(data, name), join(restored.CAREGATE_DATA, name));
    }
    await done(restored, 'audit', 'verify', '--public-key', kept.key);
    const service = await start(['serve'], restored.CAREGATE_DATA, restored);
    const after = await answersOf(service);
    for (const [path, answer] of answers) {
      expect([path, withoutCursor(after.get(path) ?? '')]).toEqual([path, withoutCursor(answer)]);
    }
    expect(await service.end()).toBe(0);
  });

  it('refuses a folder in use, a database with data, and a log that fails verification', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const service = await start(['serve', '--data', data], newFolder());
    expect(await move(data, url)).toEqual(refused(1, 'is in use by another caregate process'));
    expect((await ask(service, pagePath, keys.clinician)).slice(0, 3)).toBe('200');
    expect(await service.end()).toBe(0);
    const keyless = copyOfSource();
    rmSync(join(keyless, 'audit-key.pem'));
    expect(await move(keyless, url)).toEqual(refused(1, 'audit-key.pem, is missing'));
    const altered = copyOfSource();
    editLog(
      altered,
      `update audit_record set body = replace(body, 'importStarted', 'importstarted')`,
    );
    expect(await move(altered, url)).toEqual(refused(1, 'audit log'));
    expect(await tables(url)).toBe(0);
    const file = join(folder, 'one.ndjson');
    writeFileSync(file, `${JSON.stringify(envelopes[1]![0])}\n`);
    await done({ DATABASE_URL: url }, 'import', file, '--data', newFolder());
    expect(await move(data, url)).toEqual(refused(1, 'already contains data (in store.users)'));
    expect(await count(url, 'store.users')).toBe(1);
    expect(existsSync(join(data, 'moved-to-database'))).toBe(false);
    expect(await move(join(folder, 'none'), url)).toEqual(refused(2, 'is not a data folder'));
  });

  it('loses nothing if it is killed, and moves everything when it is run again', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const env = { DATABASE_URL: url };
    // Creates the tables.
    await new ImportWriter(await openStoreForWriting({ dataDir: '', databaseUrl: url })).close();
    // The move waits between two tables while this session holds the lock.
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query(`create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(42); return null; end';
      create trigger wait before insert on store.insurances for each statement execute function wait();
      select pg_advisory_lock(42)`);
    const child = spawn(process.execPath, [bin, ...moving(data), '--to', url]);
    const waiting = `pg_locks where locktype = 'advisory' and not granted`;
    while ((await count(url, waiting)) === 0) {
      expect(child.exitCode).toBeNull();
      await sleep(20);
    }
    child.kill('SIGKILL');
    await once(child, 'close');
    await holder.query('drop trigger wait on store.insurances').catch(() => undefined);
    await holder.end();
    while ((await count(url, waiting)) > 0) {
      await sleep(20);
    }
    expect(await count(url, 'store.users')).toBe(0);
    await done(
      { CAREGATE_DATA: data },
      'person',
      'export',
      '--team',
      sampleTeamId,
      '--user',
      walker,
    );
    await done(env, ...moving(data));
    expect(await count(url, 'store.users')).toBe(303);
    await done(env, 'audit', 'verify', '--checkpoint', kept.notePath);
  });
});
