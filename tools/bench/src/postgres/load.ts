import { findPostgres } from '@caregate/postgres';
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keepBusy } from '../one-connection.ts';

const run = promisify(execFile);

export type Paths = () => string;

/** Requests a second that come back with 200 over so many connections, shared out over the instances. */
export async function requestsPerSecond(
  baseUrls: readonly string[],
  { paths, key }: { readonly paths: Paths; readonly key: string },
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> {
  const headers = { 'x-service-api-key': key };
  const until = performance.now() + seconds * 1000;
  return await keepBusy(
    baseUrls,
    connections,
    (connection) => connection.request(paths(), headers),
    () => performance.now() < until,
  );
}

/** Transactions a second of a script, its statements prepared, by as many clients. */
export async function pgbench(
  url: string,
  script: { readonly folder: string; readonly text: string },
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> {
  const file = join(script.folder, 'script.sql');
  writeFileSync(file, script.text);
  const { stdout } = await run(findPostgres()('pgbench'), [
    ...['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds)],
    ...['-D', 'seq=0', '-D', `run=${String(Date.now())}`, '-f', file, url],
  ]);
  const tps = /^tps = ([\d.]+)/mu.exec(stdout)?.[1];
  if (tps === undefined || !/number of failed transactions: 0 /u.test(stdout)) {
    throw new Error(`pgbench: ${stdout}`);
  }
  return Number(tps);
}

export async function sql(url: string, statements: string): Promise<string> {
  const child = run(
    findPostgres()('psql'),
    ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', url],
    {
      maxBuffer: 2 ** 26,
    },
  );
  child.child.stdin?.end(statements);
  return (await child).stdout.trim();
}

/** Keeps a process and its threads to these cores (`0`, `0-3`); says whether this machine can. */
export async function keepTo(pid: number, cores: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const child = spawn('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
    child.on('error', () => {
      resolve(false);
    });
    child.on('exit', (code) => {
      resolve(code === 0);
    });
  });
}
