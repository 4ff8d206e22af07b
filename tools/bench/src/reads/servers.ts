import { startPostgres } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { installLong } from '../../../setup/install.mjs';
import { benchKey, command, end, noLimits, startService, workFolder } from '../service.ts';
import { pointAt } from '../timeseries.ts';
import { family, type Measured } from './processor-time.ts';

export type ServerName = 'SQLite' | 'PostgreSQL' | 'week' | 'floor';

interface Sample {
  readonly clientUserId: string;
  readonly userId: string;
  readonly orderId: string;
}

export interface Servers {
  readonly sample: Sample;
  targets(path: string): Readonly<Record<ServerName, Measured>>;
  /** A service verifies its whole log ten minutes after its start, which belongs to no answer. */
  startOursAgain(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  installLong();
  const folder = workFolder();
  const people = join(folder.path, 'people.ndjson');
  const sample = writePeople(people);
  const postgres = await startPostgres();
  const [ours, week] = [await postgres.database(), await postgres.database()];
  const data = join(folder.path, 'sqlite');
  await command(['import', people, '--data', data]);
  const key = await benchKey(data, sampleTeamId);
  const env = { DATABASE_URL: ours };
  const pgData = join(folder.path, 'postgres');
  await command(['import', people, '--data', pgData], undefined, env);
  const pgKey = await benchKey(pgData, sampleTeamId, env);
  const startSqlite = () => startService(['serve', '--data', data], noLimits);
  const startOnPostgres = () => startService(['serve', '--data', pgData], { ...noLimits, ...env });
  let sqlite = await startSqlite();
  let onPostgres = await startOnPostgres();
  const log = join(folder.path, 'floor');
  mkdirSync(log);
  const floor = await forked('floor-server.ts', { data, log });
  const weekServer = await forked('week-server.ts', { databaseUrl: week, people, key });
  const cluster = await postmaster(ours);
  const headers = { 'x-service-api-key': key };
  return {
    sample,
    targets: (path) => ({
      SQLite: { url: sqlite.baseUrl + path, headers, pids: () => [sqlite.pid] },
      PostgreSQL: {
        url: onPostgres.baseUrl + path,
        headers: { 'x-service-api-key': pgKey },
        pids: () => [onPostgres.pid, ...family(cluster)],
      },
      week: {
        url: weekServer.url + path,
        headers,
        pids: () => [weekServer.pid, ...family(cluster)],
      },
      floor: { url: floor.url + path, headers, pids: () => [floor.pid] },
    }),
    startOursAgain: async () => {
      await Promise.all([sqlite.stop(), onPostgres.stop()]);
      [sqlite, onPostgres] = await Promise.all([startSqlite(), startOnPostgres()]);
    },
    stop: async () => {
      for (const server of [sqlite, onPostgres, floor, weekServer, postgres]) {
        await server.stop();
      }
      folder.remove();
    },
  };
}

export async function forked(
  file: string,
  settings: object | string,
): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  child.send(settings);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${String(code)}`);
  });
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string];
  ended.catch(() => undefined);
  return { url, pid: child.pid ?? 0, stop: () => end(child) };
}

/** The process whose children serve the connections of a database. */
async function postmaster(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = readFileSync(`/proc/${rows[0]?.pid ?? ''}/status`, 'utf8');
  await client.end();
  return Number(/^PPid:\s+(\d+)$/mu.exec(status)?.[1]);
}

function writePeople(file: string): Sample {
  const kinds = ['user', 'user_info', 'order', 'lab_result', 'insurance'] as const;
  const envelopes = [...sampleEnvelopes({ users: 200, kinds })];
  const lab = envelopes.find(
    (each) => each.kind === 'lab_result' && JSON.stringify(each.result).length > 11_000,
  );
  if (lab?.kind !== 'lab_result') {
    throw new Error('no lab result of the sample is so large');
  }
  const { user_id: userId, order_id: orderId } = lab;
  const user = envelopes.find((each) => each.kind === 'user' && each.user.user_id === userId);
  if (user?.kind !== 'user') {
    throw new Error('a lab result of the sample has no user');
  }
  const points = {
    kind: 'mindfulness_minutes',
    ...{ team_id: sampleTeamId, user_id: userId, source: { provider: 'oura', type: 'ring' } },
    data: Array.from({ length: 1500 }, (_, index) => pointAt(index)),
  };
  const lines = [...envelopes, points].map((each) => `${JSON.stringify(each)}\n`);
  writeFileSync(file, lines.join(''));
  return { clientUserId: user.user.client_user_id, userId, orderId };
}
