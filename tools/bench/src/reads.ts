import { startPostgres } from '@caregate/postgres';
import { mkdirSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { measureProcessorTime, type Server } from './load.ts';
import { answers, compare, measureInTurns, rounds, type Row } from './measure.ts';
import { forkServer, runCaregate, serve, temporary, writeSample } from './service.ts';

/** Processor time of an answer, of all processes, against the floor and against the service of another checkout. */
export async function* measureReads(before?: string): AsyncGenerator<Row> {
  using folder = mkdtempDisposableSync(temporary);
  const sample = writeSample(folder.path);
  const postgres = await startPostgres();
  const database = await postgres.database();
  const start = (name: string, env = {}, checkout?: string): ReturnType<typeof serve> => {
    const options = { data: join(folder.path, name), env, checkout };
    runCaregate(['import', sample.file], options);
    return serve(options);
  };
  const sqlite = await start('SQLite');
  const onPostgres = await start('PostgreSQL', { DATABASE_URL: database });
  const postmaster = await findPostmaster(database);
  const log = join(folder.path, 'log');
  mkdirSync(log);
  const floor = await forkServer('floor-server.ts', { data: join(folder.path, 'SQLite'), log });
  const servers = [
    sqlite,
    { ...floor, headers: sqlite.headers },
    // PostgreSQL's processes count as the service's.
    { ...onPostgres, pids: () => [...onPostgres.pids(), ...listProcesses(postmaster)] },
    ...(before === undefined ? [] : [await start('before', {}, before)]),
  ];
  for (const [name, path] of Object.entries(sample.paths)) {
    // A page costs as much as ten other answers.
    const amount = ['list of 100', '1,000 points'].includes(name) ? answers / 10 : answers;
    const targets = servers.map((server) => ({ ...server, url: server.url + path }));
    for (const target of targets) await measureProcessorTime(target, 10, amount);
    for (const connections of [10, 50]) {
      const measure = (target: Server) => () =>
        measureProcessorTime(target, connections, Math.ceil(amount / rounds));
      const times = await measureInTurns(targets.map(measure));
      const [ofSqlite = [], ofFloor = [], ofPostgres = [], ofBefore] = times;
      const what = `${name} at ${connections}`;
      const goal = { ratio: name === '1,000 points' ? 2.5 : 1.8 };
      yield compare(`${what}: SQLite / floor`, 'us', [ofSqlite, ofFloor], goal);
      yield compare(`${what}: PostgreSQL / floor`, 'us', [ofPostgres, ofFloor]);
      if (ofBefore) yield compare(`${what}: SQLite / before`, 'us', [ofSqlite, ofBefore]);
    }
  }
  for (const server of [...servers, postgres]) await server.stop();
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
