import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { trackProcess } from './processes.testing.ts';

/** The built program of the service. */
const bin = fileURLToPath(new URL('../../../service/bin/caregate.mjs', import.meta.url));

export interface DemoService {
  readonly readyFile: string;
  readonly address: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly sample: { user_id: string; client_user_id: string; order_id: string };
  stop(): Promise<void>;
}

/** Starts `caregate demo` on any port, and waits until it answers. */
export async function startDemo(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<DemoService> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-service-'));
  const readyFile = join(folder, 'ready.json');
  const child = spawn(
    process.execPath,
    [bin, 'demo', '--port', '0', '--ready-file', readyFile, ...options],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
  );
  // If the test run is aborted, the service ends too.
  process.once('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  trackProcess('started', child.pid);
  child.once('exit', () => {
    trackProcess('ended', child.pid);
  });
  const ended = once(child, 'close');
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`caregate demo ended: ${errors}`);
    await sleep(20);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as {
    base_url: string;
    keys: Record<string, string>;
    sample: DemoService['sample'];
  };
  return {
    readyFile,
    address: ready.base_url,
    keys: ready.keys,
    sample: ready.sample,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command of the service and returns its output. If it fails, the error has its messages. */
export async function runCaregate(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`caregate ${args.join(' ')}: ${errors}`);
  return printed;
}
