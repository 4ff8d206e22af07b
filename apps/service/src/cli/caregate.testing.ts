import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in a process of its own, with these variables and no others. */
export async function runIn(
  env: Readonly<Record<string, string>>,
  program: URL,
  arguments_: readonly string[],
): Promise<Ended> {
  const flags = ['--conditions=@caregate/source', fileURLToPath(program)];
  const child = spawn(process.execPath, [...flags, ...arguments_], {
    env: { PATH: process.env['PATH'], ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
}

/** Runs a command of Caregate. */
export function caregateIn(
  env: Readonly<Record<string, string>>,
  arguments_: readonly string[],
): Promise<Ended> {
  return runIn(env, new URL('main.ts', import.meta.url), arguments_);
}
