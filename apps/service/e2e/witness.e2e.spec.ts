import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VerifierKey } from '@caregate/audit-log';
import { originHash, parseCosignerKey, cosignedAt, parseNote } from '@caregate/audit-log/testing';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import { bin, kill, newFolder, removeFolder, start, type Running } from './caregate.testing.ts';

let folder: string;
let data: string;
let witnessData: string;
let share: string;
let services: Running[] = [];
let witnesses: ChildProcess[] = [];

beforeEach(() => {
  folder = newFolder();
  [data, witnessData, share] = [
    join(folder, 'data'),
    join(folder, 'witness'),
    join(folder, 'share'),
  ];
  mkdirSync(share);
});
afterEach(() => {
  services.forEach(kill);
  witnesses.forEach((witness) => witness.kill('SIGKILL'));
  [services, witnesses] = [[], []];
  removeFolder(folder);
});

/** What a command says, in this process. */
const said = async (...words: string[]): Promise<string> => {
  const { code, out, err } = await caregateIn({}, words);
  expect([code, err]).toEqual([0, '']);
  return out.trim();
};

async function serve(env: Record<string, string> = {}): Promise<Running> {
  const service = await start(['serve', '--data', data], folder, env);
  services.push(service);
  return service;
}

/** Starts the witness, a process of its own, for this log. */
async function startWitness(
  vkey: string,
  port = '0',
): Promise<{ url: string; child: ChildProcess }> {
  const flags = ['--data', witnessData, '--log', vkey, '--port', port];
  const child = spawn(process.execPath, [bin, 'witness', 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  witnesses.push(child);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  while (!out.includes('"ready"')) {
    if (child.exitCode !== null) {
      throw new Error('the witness ended');
    }
    await sleep(10);
  }
  const [ready = ''] = out.split('\n').filter((line) => line.includes('"ready"'));
  return { url: (JSON.parse(ready) as { base_url: string }).base_url, child };
}

interface Witnessed {
  readonly vkey: string;
  readonly env: Record<string, string>;
  readonly url: string;
  readonly child: ChildProcess;
  /** Records in the copied checkpoint that has the witness's cosignature; undefined if it has none. */
  cosignedSize(): number | undefined;
}

/** A log, a witness of it, and the settings of a service with both. */
async function witnessed(): Promise<Witnessed> {
  const team = ['--team', '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a1111'];
  // Its record begins the log.
  await said('keys', 'create', '--data', data, ...team, '--role', 'clinician', '--label', 'desk');
  const vkey = await said('audit', 'public-key', '--data', data);
  const { url, child } = await startWitness(vkey);
  const policy = join(folder, 'policy');
  const witnessKey = await said('witness', 'key', '--data', witnessData);
  writeFileSync(policy, `# one\nlog ${vkey}\nwitness second ${witnessKey} ${url}\nquorum second\n`);
  const key = parseCosignerKey(witnessKey);
  return {
    vkey,
    env: { CAREGATE_WITNESSES: policy, CAREGATE_CHECKPOINT_COPY: share },
    url,
    child,
    cosignedSize: () => {
      const [file] = readdirSync(share).filter((name) => name.endsWith('.checkpoint'));
      const note = file === undefined ? undefined : readFileSync(join(share, file), 'utf8');
      return note !== undefined && cosignedAt(parseNote(note), key) !== undefined
        ? VerifierKey.parse(vkey).open(note).size
        : undefined;
    },
  };
}

async function untilCosigned(witness: Witnessed, atLeast: number): Promise<number> {
  for (;;) {
    const size = witness.cosignedSize() ?? 0;
    if (size >= atLeast) {
      return size;
    }
    await sleep(20);
  }
}

describe('caregate witness', () => {
  it('cosigns the log of a service as it grows, over kills of both', async () => {
    const one = await witnessed();
    const service = await serve(one.env);
    const size = await untilCosigned(one, 1);
    // The witness serves what it cosigned, to anybody.
    const hash = originHash(VerifierKey.parse(one.vkey).name);
    const newest = await (await fetch(`${one.url}/${hash}/checkpoint`)).text();
    expect(VerifierKey.parse(one.vkey).open(newest).size).toBeGreaterThanOrEqual(size);
    one.child.kill('SIGKILL');
    await service.end('SIGKILL');
    rmSync(service.readyFile);
    const { child } = await startWitness(one.vkey, new URL(one.url).port);
    const again = await serve(one.env);
    expect(await untilCosigned(one, size + 1)).toBeGreaterThan(size);
    const metrics = await again.metrics();
    expect(metrics).toMatch(/^caregate_audit_witnessed_size [1-9]/mu);
    expect(await said('audit', 'alarms', '--data', data)).not.toContain('witness');
    expect(await again.end()).toBe(0);

    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(existsSync(join(witnessData, 'witness-key.pem'))).toBe(true);
  });
});
