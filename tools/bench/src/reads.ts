import { startPostgres } from '@caregate/postgres';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { processes, processorTime, type Target } from './load.ts';
import { compare, inTurns, type Row } from './measure.ts';
import {
  caregate,
  createKey,
  forkServer,
  noLimits,
  serve,
  withFolder,
  writeSample,
  type ReadName,
  type Running,
  type Sample,
} from './service.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
/** V8 compiles within the first ones, when ratios turn around. A page costs as much as ten other answers. */
const answers = Number(process.env['BENCH_ANSWERS'] ?? 20_000);
const isPage = (name: ReadName): boolean => name === 'list of 100' || name === '1,000 points';

interface Server extends Running {
  readonly pids: () => readonly number[];
  readonly key: string;
}

/** Processor time of an answer, of all processes, against the floor and against the service of another checkout. */
export function reads(before?: string): Promise<readonly Row[]> {
  return withFolder(async (folder) => {
    const sample = writeSample(folder);
    const postgres = await startPostgres();
    const sqlite = await importAndServe(join(folder, 'sqlite'), sample);
    const floor = await startFloor(folder, sqlite.key);
    const servers: Record<string, Server> = {
      SQLite: sqlite,
      floor,
      PostgreSQL: await onPostgres(join(folder, 'postgres'), sample, await postgres.database()),
      ...(before && { before: await importAndServe(join(folder, 'before'), sample, {}, before) }),
    };
    const rows: Row[] = [];
    for (const connections of [10, 50, 1]) {
      for (const [name, path] of Object.entries(sample.paths) as [ReadName, string][]) {
        rows.push(...(await compareRead(name, path, servers, connections)));
      }
    }
    rows.push(await besideEmptyNest(sqlite));
    for (const server of [...Object.values(servers), postgres]) {
      await server.stop();
    }
    return rows;
  });
}

async function compareRead(
  name: ReadName,
  path: string,
  servers: Readonly<Record<string, Server>>,
  connections: number,
): Promise<Row[]> {
  const amount = isPage(name) ? answers / 10 : answers;
  const targets = Object.entries(servers).map(([server, { url, key, pids }]) => {
    const target = { url: url + path, headers: { 'x-service-api-key': key }, pids };
    return [server, target] as const;
  });
  for (const [, target] of targets) {
    await processorTime(target, connections, amount);
  }
  const perRound = Math.ceil(amount / rounds / connections) * connections;
  const measures = targets.map(([server, target]: readonly [string, Target]) => {
    return [server, () => processorTime(target, connections, perRound)] as const;
  });
  const times = await inTurns(Object.fromEntries(measures), rounds);
  const row = (measured: string, baseline: string, ratio?: number): Row[] => {
    const [a, b] = [times[measured], times[baseline]];
    const what = `${name} at ${connections}: ${measured} / ${baseline}`;
    return a && b ? [compare(what, 'us', a, b, ratio === undefined ? undefined : { ratio })] : [];
  };
  const goal = { 'list of 100': 0.9, '1,000 points': 0.5 }[name as string] ?? 0.75;
  return [
    ...row('SQLite', 'floor', name === '1,000 points' ? 2.5 : 1.8),
    ...row('PostgreSQL', 'floor'),
    ...row('SQLite', 'before', goal),
  ];
}

async function besideEmptyNest({ url, pids }: Server): Promise<Row> {
  const text = await (await fetch(`${url}/healthz`)).text();
  const nest = await forkServer('nest-server.ts', text);
  const ways = {
    healthz: { url: `${url}/healthz`, pids },
    empty: { url: nest.url, pids: () => [nest.pid] },
  };
  const measure = (target: Target, amount: number) => () => processorTime(target, 50, amount);
  await measure(ways.healthz, answers)();
  await measure(ways.empty, answers)();
  const times = await inTurns(
    { healthz: measure(ways.healthz, answers / 5), empty: measure(ways.empty, answers / 5) },
    rounds,
  );
  await nest.stop();
  const what = '/healthz / an empty NestJS with the same bytes';
  return compare(what, 'us', times.healthz, times.empty, { ratio: 1.3 });
}

async function importAndServe(
  data: string,
  { file }: Sample,
  env: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Server> {
  caregate(['import', file, '--data', data], env, checkout);
  const key = createKey(data, env, checkout);
  const running = await serve(data, { ...noLimits, ...env }, checkout ? { checkout } : {});
  return { ...running, key, pids: () => [running.pid] };
}

/** PostgreSQL's processes count as the service's. */
async function onPostgres(data: string, sample: Sample, database: string): Promise<Server> {
  const server = await importAndServe(data, sample, { DATABASE_URL: database });
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = readFileSync(`/proc/${rows[0]?.pid ?? ''}/status`, 'utf8');
  await client.end();
  const postmaster = Number(/^PPid:\s+(\d+)$/mu.exec(status)?.[1]);
  return { ...server, pids: () => [server.pid, ...processes(postmaster)] };
}

async function startFloor(folder: string, key: string): Promise<Server> {
  const log = join(folder, 'floor');
  mkdirSync(log);
  const running = await forkServer('floor-server.ts', { data: join(folder, 'sqlite'), log });
  return { ...running, key, pids: () => [running.pid] };
}
