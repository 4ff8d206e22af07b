import { startPostgres } from '@caregate/postgres';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { measureProcessorTime, type Target } from './load.ts';
import { compare, measureInTurns, type Row } from './measure.ts';
import {
  runCaregate,
  createKey,
  forkServer,
  serve,
  createTemporaryFolder,
  writeSample,
} from './service.ts';
import type { ReadName, RunningServer } from './service.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
/** As many again come first: V8 compiles meanwhile, and ratios turn around. A page costs as much as ten other answers. */
const answers = Number(process.env['BENCH_ANSWERS'] ?? 20_000);
const isPage = (name: ReadName): boolean => name === 'list of 100' || name === '1,000 points';

interface Server extends RunningServer {
  readonly key: string;
  readonly pids: () => readonly number[];
}

/** Processor time of an answer, of all processes, against the floor and against the service of another checkout. */
export async function* measureReads(before?: string): AsyncGenerator<Row> {
  using folder = createTemporaryFolder();
  const sample = writeSample(folder.path);
  const postgres = await startPostgres();
  const database = await postgres.database();
  const start = async (name: string, env = {}, checkout?: string): Promise<Server> => {
    const options = { data: join(folder.path, name), env, checkout };
    runCaregate(['import', sample.file], options);
    const key = createKey(options);
    const running = await serve(options);
    return { ...running, key, pids: () => [running.pid] };
  };
  const sqlite = await start('SQLite');
  const onPostgres = await start('PostgreSQL', { DATABASE_URL: database });
  const postmaster = await findPostmaster(database);
  const log = join(folder.path, 'log');
  mkdirSync(log);
  const data = join(folder.path, 'SQLite');
  const floor = await forkServer('floor-server.ts', { data, log });
  const servers: Record<string, Server> = {
    SQLite: sqlite,
    floor: { ...floor, key: sqlite.key, pids: () => [floor.pid] },
    // PostgreSQL's processes count as the service's.
    PostgreSQL: { ...onPostgres, pids: () => [onPostgres.pid, ...listProcesses(postmaster)] },
    ...(before && { before: await start('before', {}, before) }),
  };
  for (const [name, path] of Object.entries(sample.paths) as [ReadName, string][]) {
    const targets = Object.entries(servers).map(([server, { url, key, pids }]) => {
      const headers = { 'x-service-api-key': key };
      return [server, { url: url + path, headers, pids }] as const;
    });
    const amount = isPage(name) ? answers / 10 : answers;
    for (const [, target] of targets) await measureProcessorTime(target, 10, amount);
    for (const connections of [10, 50]) {
      yield* await compareRead(name, targets, connections, amount);
    }
  }
  yield await compareWithEmptyNest(sqlite);
  for (const server of [...Object.values(servers), postgres]) await server.stop();
}

async function compareRead(
  name: ReadName,
  targets: readonly (readonly [string, Target])[],
  connections: number,
  amount: number,
): Promise<Row[]> {
  const perRound = Math.ceil(amount / rounds / connections) * connections;
  const measures = targets.map(
    ([server, target]) =>
      [server, () => measureProcessorTime(target, connections, perRound)] as const,
  );
  const times = await measureInTurns(Object.fromEntries(measures), rounds);
  const compareServers = (measured: string, baseline: string, ratio?: number): Row[] => {
    const [a, b] = [times[measured], times[baseline]];
    const what = `${name} at ${connections}: ${measured} / ${baseline}`;
    return a && b ? [compare(what, 'us', [a, b], ratio === undefined ? undefined : { ratio })] : [];
  };
  const goal = { 'list of 100': 0.9, '1,000 points': 0.5 }[name as string] ?? 0.75;
  return [
    ...compareServers('SQLite', 'floor', name === '1,000 points' ? 2.5 : 1.8),
    ...compareServers('PostgreSQL', 'floor'),
    ...compareServers('SQLite', 'before', goal),
  ];
}

async function compareWithEmptyNest({ url, pids }: Server): Promise<Row> {
  const text = await (await fetch(`${url}/healthz`)).text();
  const nest = await forkServer('nest-server.ts', text);
  const measure = (target: Target) => (): Promise<number> =>
    measureProcessorTime(target, 50, answers / 5);
  const measurements = {
    healthz: measure({ url: `${url}/healthz`, pids }),
    empty: measure({ url: nest.url, pids: () => [nest.pid] }),
  };
  await measureInTurns(measurements, 5);
  const { healthz, empty } = await measureInTurns(measurements, rounds);
  await nest.stop();
  const what = '/healthz / an empty NestJS with the same bytes';
  return compare(what, 'us', [healthz, empty], { ratio: 1.3 });
}

async function findPostmaster(database: string): Promise<number> {
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const status = readFileSync(`/proc/${rows[0]?.pid ?? ''}/status`, 'utf8');
  await client.end();
  return Number(/^PPid:\s+(\d+)$/mu.exec(status)?.[1]);
}

/** The process and its children. */
function listProcesses(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return [parent, ...children.split(' ').filter(Boolean).map(Number)];
}
