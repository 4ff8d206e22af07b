import { afterAll, expect } from '@jest/globals';
import {
  execFileSync,
  spawn,
  spawnSync,
  type ChildProcess,
  type SpawnSyncReturns,
} from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ImportEnvelope } from '@caregate/domain';
import { sampleTeamId } from '@caregate/sample-data';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import type { Limits } from '../src/config/limits.ts';

/** Path of the built command, as it is installed. */
export const bin = fileURLToPath(new URL('../bin/caregate.mjs', import.meta.url));

interface ReadyFile {
  readonly base_url: string;
  readonly team_id: string | null;
  readonly keys: Readonly<Record<string, string>>;
  readonly sample: { user_id: string; client_user_id: string; order_id: string } | null;
  /** The data folder of a demo. */
  readonly data?: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ready: ReadyFile;
  readonly readyFile: string;
  /** Returns the standard output so far. */
  stdout(): string;
  stderr(): string;
  metrics(): Promise<string>;
  /** Sends a signal, and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Environment that replaces limits which no setting changes. */
export function withLimits(limits: Partial<Limits>): { readonly NODE_OPTIONS: string } {
  const file = new URL('../dist/config/limits.js', import.meta.url).href;
  const program = `import{LIMITS}from'${file}';Object.assign(LIMITS,${JSON.stringify(limits)})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

/** Settings without rate limits, for tests that send many requests. */
export const noLimits = {
  CAREGATE_RATE_LIMIT_PER_KEY: '100000000',
  CAREGATE_CONCURRENCY_PER_KEY: '1000000',
  ...withLimits({ requestsPerAddress: 1_000_000 }),
};

const folders: string[] = [];
const services: Running[] = [];

// Ends what a failed test left running, and removes all folders of the spec file.
afterAll(() => {
  services.forEach(kill);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a temporary folder, which is removed after the tests of the spec file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-e2e-'));
  folders.push(folder);
  return folder;
}

export const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0;

/** Mounts a small file system that a test can fill. The test unmounts it. */
export function mountTmpfs(at: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at]);
}

/** Runs a command until it ends, without the environment of the test. */
export function caregate(
  arguments_: readonly string[],
  env: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [bin, ...arguments_], {
    encoding: 'utf8',
    env: surroundings(env),
    // Ends a command that hangs. Real ones take less than a tenth of this.
    timeout: 500_000,
  });
}

/** Returns the output of a command. @throws Error if it fails */
export function printed(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = caregate(words, env);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Starts a service without rate limits on these people, and creates a clinician's API key. */
export async function served(
  { folder, data }: { readonly folder: string; readonly data: string },
  people: Iterable<ImportEnvelope>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ service: Running; headers: Record<string, string> }> {
  const file = join(folder, 'people.ndjson');
  writeFileSync(file, Array.from(people, (each) => `${JSON.stringify(each)}\n`).join(''));
  const settings = { CAREGATE_DATA: data, ...env };
  expect(await caregateIn(settings, ['import', file])).toMatchObject({ code: 0 });
  const flags = ['--team', sampleTeamId, '--role', 'clinician', '--label', 'e2e', '--json'];
  const { out } = await caregateIn(settings, ['keys', 'create', ...flags]);
  const { key } = JSON.parse(out) as { key: string };
  const service = await start(['serve', '--data', data], folder, { ...noLimits, ...env });
  return { service, headers: { 'x-service-api-key': key } };
}

/** Starts `serve` or `demo` on any port and waits for its ready file in `folder`. */
export async function start(
  arguments_: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const readyFile = join(folder, 'ready.json');
  const child = spawn(
    process.execPath,
    [bin, ...arguments_, '--port', '0', '--ready-file', readyFile],
    { stdio: ['ignore', 'pipe', 'pipe'], env: surroundings(env) },
  );
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  const ended = once(child, 'close') as Promise<[number | null]>;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`caregate ended before it was ready: ${err}`);
    }
    await sleep(10);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile;
  const data = arguments_[arguments_.indexOf('--data') + 1];
  const running: Running = {
    child,
    ready,
    readyFile,
    stdout: () => out,
    stderr: () => err,
    metrics: async () => {
      const token = readFileSync(join(ready.data ?? data ?? '', 'metrics-token'), 'utf8');
      const headers = { authorization: `Bearer ${token}` };
      return await (await fetch(`${ready.base_url}/metrics`, { headers })).text();
    },
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
  services.push(running);
  return running;
}

/** Kills a service, if it is running. */
export function kill(running: Running | undefined): void {
  running?.child.kill('SIGKILL');
}

function surroundings(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:CAREGATE|DATABASE)_/u.test(name),
  );
  return { ...Object.fromEntries(own), ...env };
}

/** Opens a TCP connection to a service. */
export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  // Some tests expect that the service closes the connection.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes unchanged, and returns everything received until the service closes the connection. */
export async function exchange(baseUrl: string, bytes: string): Promise<string> {
  const socket = await openSocket(baseUrl);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  const closed = once(socket, 'close');
  socket.write(bytes, 'latin1');
  await closed;
  return answer;
}
