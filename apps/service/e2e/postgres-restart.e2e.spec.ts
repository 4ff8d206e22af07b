import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  bin,
  caregate,
  kill,
  newFolder,
  noLimits,
  removeFolder,
  type Running,
  start,
} from './caregate.testing.ts';

let server: PostgresServer;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startPostgres();
  folder = newFolder();
  env = {
    DATABASE_URL: server.url,
    CAREGATE_DATA: join(folder, 'commands'),
    CAREGATE_DRAIN_MS: '2000',
  };
});

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

function fileOf(name: string, users: number, first = 0): string {
  const file = join(folder, name);
  const lines = Array.from(sampleEnvelopes({ users, first }), (each) => JSON.stringify(each));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

async function ask(question: string): Promise<unknown> {
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(question);
  await client.end();
  return rows[0];
}

describe('caregate import into PostgreSQL', () => {
  const contents = `select (select count(*)::int from store.users) as users,
    (select sum(total)::int from store.user_totals) as total,
    (select count(*)::int from store.lab_results) as results,
    (select count(*)::int from store.mindfulness_minutes) as points`;

  it('leaves the store as before when it is killed while it writes, and does it all when run again', async () => {
    expect(caregate(['import', fileOf('people.ndjson', 10)], env).status).toBe(0);
    const before = await ask(contents);
    const large = fileOf('large.ndjson', 100);
    // It comes to a stop between two tables for as long as this session holds the lock.
    const holder = new pg.Client(server.url);
    await holder.connect();
    await holder.query(`create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(42); return null; end';
      create trigger wait before insert on store.insurances for each statement execute function wait();
      select pg_advisory_lock(42)`);
    const child = spawn(process.execPath, [bin, 'import', large], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const waiting = `select exists (select from pg_locks
      where locktype = 'advisory' and not granted and objid = 42) as now`;
    while (!((await ask(waiting)) as { now: boolean }).now) {
      expect(child.exitCode).toBeNull();
      await sleep(20);
    }
    child.kill('SIGKILL');
    await ended;
    await holder.query('select pg_advisory_unlock(42); drop trigger wait on store.insurances');
    await holder.end();
    expect(await ask(contents)).toEqual(before);
    expect(caregate(['import', large], env)).toMatchObject({ status: 0, stderr: '' });
    expect(await ask(contents)).toMatchObject({ users: 100, total: 100 });
  });

  it('takes several files by several processes at once; again, they change nothing', async () => {
    const files = [0, 1].map((n) => fileOf(`part-${n}.ndjson`, 60, 80 + n * 40));
    const all = async (): Promise<(number | null)[]> =>
      await Promise.all(
        files.map(async (file) => {
          const child = spawn(process.execPath, [bin, 'import', file], {
            env: { ...process.env, ...env },
            stdio: 'ignore',
          });
          return ((await once(child, 'exit')) as [number | null])[0];
        }),
      );
    expect(await all()).toEqual([0, 0]);
    const after = await ask(contents);
    expect(after).toMatchObject({ users: 180, total: 180 });
    expect(await all()).toEqual([0, 0]);
    expect(await ask(contents)).toEqual(after);
  });
});

describe('caregate serve on PostgreSQL', () => {
  it('is restarted, one instance after the other, without a failed request', async () => {
    const made = caregate(
      ['keys', 'create', '--json', '--team', sampleTeamId, '--role', 'clinician', '--label', 'x'],
      env,
    );
    const { key } = JSON.parse(made.stdout) as { key: string };
    const headers = { 'x-service-api-key': key };
    const launch = (name: string): Promise<Running> =>
      start(['serve', '--data', join(folder, name)], newFolder(), { ...env, ...noLimits });
    const instances = [await launch('one'), await launch('other')];
    const isReady = async (one: Running): Promise<boolean> =>
      (await fetch(`${one.ready.base_url}/readyz`)).status === 200;
    // As a load balancer does, which here asks before each request.
    const statuses: number[] = [];
    let goesOn = true;
    const clients = [0, 1, 2].map(async (n) => {
      for (let turn = n; goesOn; turn += 1) {
        const one = instances[turn % 2];
        if (one !== undefined && (await isReady(one).catch(() => false))) {
          const answer = await fetch(`${one.ready.base_url}/v2/user?limit=5`, { headers });
          const { total } = (await answer.json()) as { total: number };
          statuses.push(total === 180 ? answer.status : 0);
        }
        await sleep(10);
      }
    });
    for (const [n, name] of ['one', 'other'].entries()) {
      const { length } = statuses;
      const old = instances[n]!;
      expect(await old.end('SIGTERM')).toBe(0);
      expect(statuses.length).toBeGreaterThan(length);
      instances[n] = await launch(name);
    }
    const { length: before } = statuses;
    while (statuses.length < before + 10) await sleep(20);
    goesOn = false;
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
    instances.forEach(kill);
  });
});
