import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Path of the service's command. */
export const caregate = fileURLToPath(
  new URL('../../../apps/service/bin/caregate.mjs', import.meta.url),
);

/** A running service. */
export interface Running {
  readonly base_url: string;
  readonly keys: Readonly<Record<string, string>>;
  /** The team of a demo. */
  readonly team_id: string;
  readonly sample: { readonly user_id: string };
  readonly data: string;
  readonly identity_provider?: { readonly enrolment_code: string };
  /** Returns the output so far. */
  stdout(): string;
  /** Stops the service, and returns its exit code. */
  end(): Promise<number | null>;
}

/** Starts a command without the environment of the test, and waits for its ready file. */
export async function startProgram(
  [command = '', ...words]: readonly string[],
  readyFile: string,
): Promise<Running> {
  const child = spawn(command, words, {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${stdout}`);
    await sleep(20);
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Omit<Running, 'end' | 'stdout'>;
  return {
    ...ready,
    stdout: () => stdout,
    end: async () => {
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
