import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { buildProgram } from './program.ts';
import { formatFailure, runCommand, describeUnexpectedError } from './common/run-command.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function listLeaves(command: Command, path = ''): [path: string, command: Command][] {
  return command.commands.length === 0
    ? [[path, command]]
    : command.commands.flatMap((each) => listLeaves(each, `${path} ${each.name()}`.trim()));
}

/** A temporary folder with a data folder in it, and commands that run on the latter. */
export class CommandFolder {
  folder = '';
  data = '';
  env: Readonly<Record<string, string>> = {};

  readonly caregate = (...words: readonly string[]): Promise<Ended> =>
    caregateIn({ CAREGATE_DATA: this.data, ...this.env }, words);

  /** Runs a command that must succeed, and returns its JSON output. */
  readonly json = async <T = Readonly<Record<string, string>>>(
    ...words: readonly string[]
  ): Promise<T> => {
    const { out, ...ended } = await this.caregate(...words, '--json');
    expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
    return JSON.parse(out) as T;
  };
}

/** Creates a folder for each test, or one for the whole spec. */
export function commandFolder(scope: 'test' | 'spec' = 'test'): CommandFolder {
  const at = new CommandFolder();
  (scope === 'test' ? beforeEach : beforeAll)(() => {
    at.folder = mkdtempSync(join(tmpdir(), 'caregate-cli-'));
    at.data = join(at.folder, 'data');
    at.env = {};
  });
  (scope === 'test' ? afterEach : afterAll)(() => {
    rmSync(at.folder, { recursive: true, force: true });
  });
  return at;
}

/** Returns only the variables of this process that are needed to find programs. */
function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

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

/** Runs a command in this process, since spawning one takes longer than most commands. */
export async function caregateIn(
  env: Readonly<Record<string, string>>,
  arguments_: readonly string[],
  terminal?: { readonly isTTY: true },
): Promise<Ended> {
  const [out, err] = [new Printed(), Object.assign(new Printed(), terminal)];
  const ofCommand = {
    argv: [process.execPath, fileURLToPath(new URL('main.ts', import.meta.url)), ...arguments_],
    env: { ...bareEnvironment(), ...env },
    stdin: Readable.from([]),
    stdout: out,
    stderr: err,
    exit: (code: number) => {
      throw new Exited(code);
    },
  };
  const before = Object.getOwnPropertyDescriptors(process);
  for (const [name, value] of Object.entries(ofCommand)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  let code: number;
  try {
    const caregate = await buildProgram(arguments_);
    await runCommand(async () => {
      await caregate.parseAsync();
    });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Exited)) {
      err.write(formatFailure(describeUnexpectedError(error)));
    }
    code = error instanceof Exited ? error.code : 1;
  } finally {
    process.exitCode = undefined;
    for (const name of Object.keys(ofCommand)) {
      Object.defineProperty(process, name, before[name] ?? {});
    }
  }
  return { code, out: out.text, err: err.text };
}

class Printed extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

class Exited extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
