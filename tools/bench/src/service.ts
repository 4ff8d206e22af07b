import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const caregate = fileURLToPath(new URL('../../../apps/service/bin/caregate.mjs', import.meta.url));

const limits = new URL('../../../apps/service/dist/config/limits.js', import.meta.url).href;
const noAddressLimit = `import{LIMITS}from'${limits}';LIMITS.requestsPerAddress=1e8`;

/** Far more than the bench sends, so that what is measured is the service and not its limiter's refusals. */
export const noLimits = {
  CAREGATE_RATE_LIMIT_PER_KEY: '100000000',
  CAREGATE_CONCURRENCY_PER_KEY: '1000000',
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noAddressLimit)}`,
};

export interface Running {
  readonly baseUrl: string;
  readonly pid: number;
  readonly ready: ReadyFile;
  readonly metrics: () => Promise<string>;
  stop(): Promise<void>;
}

export function workFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'caregate-bench-'));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export async function command(
  arguments_: readonly string[],
  input?: (stdin: NodeJS.WritableStream) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, [caregate, ...arguments_], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let printed = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit');
  if (input !== undefined && child.stdin !== null) {
    await input(child.stdin);
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) {
    throw new Error(`caregate ${arguments_[0] ?? ''} ended with ${String(code)}: ${errors}`);
  }
  return printed;
}

export async function benchKey(
  data: string,
  teamId: string,
  environment?: Readonly<Record<string, string>>,
): Promise<string> {
  const scopes =
    'users:list,users:read,users:search,insurance:read,lab-results:read,timeseries:read';
  const flags = ['--team', teamId, '--role', 'integration', '--scopes', scopes, '--label', 'bench'];
  const printed = await command(
    ['keys', 'create', ...flags, '--data', data, '--json'],
    undefined,
    environment,
  );
  const made = JSON.parse(printed) as { key: string };
  return made.key;
}

export async function startService(
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<Running> {
  const folder = workFolder();
  const readyFile = join(folder.path, 'ready.json');
  const child = spawn(
    process.execPath,
    [caregate, ...arguments_, '--port', String(port), '--ready-file', readyFile],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...environment } },
  );
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) {
      throw new Error(`caregate ${arguments_[0] ?? ''} ended before it was ready`);
    }
    await wait(5);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as ReadyFile;
  const stop = async (): Promise<void> => {
    await end(child);
    folder.remove();
  };
  const data = ready.data ?? arguments_[arguments_.indexOf('--data') + 1] ?? '';
  const metrics = async (): Promise<string> => {
    const token = readFileSync(join(data, 'metrics-token'), 'utf8');
    const headers = { authorization: `Bearer ${token}` };
    return await (await fetch(`${ready.base_url}/metrics`, { headers })).text();
  };
  return { baseUrl: ready.base_url, ready, pid: child.pid ?? 0, metrics, stop };
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

interface ReadyFile {
  readonly base_url: string;
  readonly team_id: string;
  readonly data?: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly sample: {
    readonly user_id: string;
    readonly client_user_id: string;
    readonly order_id: string;
  };
}
