import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Server, Target } from './load.ts';

/** The start of a temporary folder's path. */
export const temporary = join(tmpdir(), 'caregate-bench-');
const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const scopes = 'users:list,users:read,lab-results:read,timeseries:read';

/** Far more than the bench sends: what is measured is the service and not its limiter's refusals. */
const noLimits = {
  CAREGATE_RATE_LIMIT_PER_KEY: '100000000',
  CAREGATE_CONCURRENCY_PER_KEY: '1000000',
};

interface RunningServer extends Server {
  stop(): Promise<void>;
}

interface ServiceOptions {
  readonly data: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another checkout. */
  readonly checkout?: string | undefined;
}

function buildCommand(words: readonly string[], { data, checkout }: ServiceOptions): string[] {
  const program = join(checkout ?? workspace, 'apps/service/bin/caregate.mjs');
  return [program, ...words, '--data', data];
}

export function runCaregate(words: readonly string[], options: ServiceOptions): string {
  return execFileSync(process.execPath, buildCommand(words, options), {
    encoding: 'utf8',
    env: { ...process.env, ...options.env },
  });
}

/** Creates a key of the sample's team. @returns the header of requests with it */
export function createKey(options: ServiceOptions): { 'x-service-api-key': string } {
  const flags = ['--team', sampleTeamId, '--role', 'integration', '--scopes', scopes, '--json'];
  const created = runCaregate(['keys', 'create', '--label', 'bench', ...flags], options);
  const { key } = JSON.parse(created) as { key: string };
  return { 'x-service-api-key': key };
}

/** Starts the service, with a key of the sample's team. */
export async function serve(options: ServiceOptions): Promise<RunningServer> {
  const headers = createKey(options);
  const readyFile = `${options.data}.ready.json`;
  rmSync(readyFile, { force: true });
  const words = ['serve', '--port', '0', '--ready-file', readyFile];
  const child = spawn(process.execPath, buildCommand(words, options), {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...noLimits, ...options.env },
  });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('The service ended before it was ready.');
    await wait(20);
  }
  const { base_url: url } = JSON.parse(readFileSync(readyFile, 'utf8')) as { base_url: string };
  return toRunning(child, { url, headers });
}

/** Starts a program of this folder, which sends its address once it listens. */
export async function forkServer(file: string, settings: object): Promise<RunningServer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)));
  child.send(settings);
  const [url] = (await once(child, 'message')) as [string];
  return toRunning(child, { url, headers: {} });
}

function toRunning(child: ChildProcess, target: Target): RunningServer {
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { ...target, pids: () => [child.pid ?? 0], stop };
}

type Paths = Readonly<Record<'resolve' | 'lab result' | 'list of 100' | '1,000 points', string>>;

/** Writes people to import, one of whom has a large lab result and 1,500 points. */
export function writeSample(folder: string, users = 200): { file: string; paths: Paths } {
  const file = join(folder, 'people.ndjson');
  const kinds = ['user', 'user_info', 'order', 'lab_result'] as const;
  const envelopes = [...sampleEnvelopes({ users, kinds })];
  const isLarge = (result: unknown): boolean => JSON.stringify(result).length > 11_000;
  const lab = envelopes.find((each) => each.kind === 'lab_result' && isLarge(each.result));
  if (lab?.kind !== 'lab_result') throw new Error('The sample has no lab result of that size.');
  const { user_id: userId, order_id: orderId } = lab;
  const user = envelopes.find((each) => each.kind === 'user' && each.user.user_id === userId);
  const clientUserId = user?.kind === 'user' ? user.user.client_user_id : '';
  const minutes = {
    ...{ kind: 'mindfulness_minutes', team_id: sampleTeamId, user_id: userId },
    ...{ source: { provider: 'oura', type: 'ring' }, data: createPoints(1500) },
  };
  writeFileSync(file, [...envelopes, minutes].map((one) => `${JSON.stringify(one)}\n`).join(''));
  return {
    file,
    paths: {
      resolve: `/v2/user/resolve/${clientUserId}`,
      'lab result': `/v3/order/${orderId}/result`,
      'list of 100': '/v2/user?limit=100',
      '1,000 points': `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2020-01-01`,
    },
  };
}

/** A point each half hour since 2020. */
function createPoints(count: number): object[] {
  const formatTime = (minute: number): string =>
    new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString();
  return Array.from({ length: count }, (_, index) => ({
    ...{ start: formatTime(30 * index), end: formatTime(30 * index + 10), unit: 'min', value: 10 },
  }));
}
