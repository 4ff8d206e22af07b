import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The commands that do something, with the words that lead to them. */
export function leavesOf(command: Command, path = ''): [path: string, command: Command][] {
  return command.commands.length === 0
    ? [[path, command]]
    : command.commands.flatMap((each) => leavesOf(each, `${path} ${each.name()}`.trim()));
}

/** What every program of a test is given: nothing of what this process was, but where it finds others. */
export function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Runs a program in a process of its own, with these variables and no others. */
export async function runIn(
  env: Readonly<Record<string, string>>,
  program: URL,
  arguments_: readonly string[],
): Promise<Ended> {
  const flags = ['--conditions=@caregate/source', fileURLToPath(program)];
  const child = spawn(process.execPath, [...flags, ...arguments_], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment(), ...env },
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
