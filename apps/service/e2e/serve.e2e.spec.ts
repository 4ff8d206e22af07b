import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listPersonas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  bin,
  caregate,
  kill,
  newFolder,
  openSocket,
  removeFolder,
  start,
  withLimits,
} from './caregate.testing.ts';
import type { Running } from './caregate.testing.ts';

let folder: string;
let data: string;

beforeAll(() => {
  folder = newFolder();
  data = join(folder, 'data');
});

afterAll(() => {
  removeFolder(folder);
});

function peopleFile(): string {
  const file = join(folder, 'people.ndjson.gz');
  const lines = Array.from(sampleEnvelopes({ users: 12 }), (envelope) => JSON.stringify(envelope));
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
  return file;
}

const createKey = (...more: string[]): { key: string; key_id: string } => {
  const flags = ['--team', sampleTeamId, '--data', data, '--json', '--label', 'e2e', ...more];
  const made = caregate(['keys', 'create', ...flags]);
  expect([made.status, made.stderr]).toEqual([0, '']);
  return JSON.parse(made.stdout) as { key: string; key_id: string };
};

describe('caregate serve', () => {
  let service: Running;

  beforeAll(async () => {
    service = await start(['serve', '--data', data], folder);
  });

  afterAll(() => {
    kill(service);
  });

  const statusOf = async (path: string, key: string): Promise<number> => {
    const headers = { 'x-service-api-key': key };
    return (await fetch(`${service.ready.base_url}${path}`, { headers })).status;
  };

  it('runs in the process that was started, with the settings of the collector', () => {
    const { pid } = service.child;
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    expect(stdout).toContain(
      `--max-semi-space-size=16 --no-parallel-scavenge ${bin} serve --data ${data}`,
    );
  });

  it('takes in a file while it runs, and the same file again changes nothing', async () => {
    const file = peopleFile();
    const { key } = createKey('--role', 'clinician');
    const body = async (): Promise<string> => {
      const headers = { 'x-service-api-key': key };
      return await (await fetch(`${service.ready.base_url}/v2/user`, { headers })).text();
    };
    expect(JSON.parse(await body())).toMatchObject({ users: [], total: 0 });
    const first = caregate(['import', file, '--data', data]);
    expect([first.status, first.stderr]).toEqual([0, '']);
    const after = await body();
    expect(JSON.parse(after)).toMatchObject({ total: 12 });
    const second = caregate(['import', file], { CAREGATE_DATA: data });
    expect([second.status, second.stderr]).toEqual([0, '']);
    expect(await body()).toBe(after);
    const { clientUserId } = listPersonas().amara;
    expect(await statusOf(`/v2/user/resolve/${clientUserId}`, key)).toBe(200);
  });

  it('says in one line that its port is in use', () => {
    const { port } = new URL(service.ready.base_url);
    const other = caregate(['serve', '--data', newFolderIn(folder), '--port', port]);
    expect([other.status, other.stdout]).toEqual([1, '']);
    expect(other.stderr).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Stop the process that uses it, or choose another port (0 for any free port).\n`,
    );
  });

  it('says in one line that another serves the data folder', () => {
    const other = caregate(['serve', '--data', data, '--port', '0']);
    expect([other.status, other.stdout, other.stderr]).toEqual([
      1,
      '',
      `${data} is in use by another caregate process, probably the service. Stop it, then try again.\n`,
    ]);
  });

  it('ends at once on a second Ctrl-C while a request hangs', async () => {
    const slow = await start(['serve', '--data', newFolderIn(folder)], newFolderIn(folder), {
      ...withLimits({ shutdownMs: 600_000 }),
    });
    const unfinished = await openSocket(slow.ready.base_url);
    unfinished.write('GET /healthz HTTP/1.1\r\nhos');
    slow.child.kill('SIGINT');
    const stopping = once(slow.child, 'close');
    // Later than signals that count as one Ctrl-C. Repeated until the process ends, so that timing doesn't matter.
    const again = setInterval(() => slow.child.kill('SIGINT'), 300);
    const [code] = (await stopping) as [number | null];
    clearInterval(again);
    expect(code).toBe(130);
    expect(existsSync(slow.readyFile)).toBe(false);
  });

  it('stops on SIGTERM with exit code 0', async () => {
    expect(await service.end('SIGTERM')).toBe(0);
    expect(existsSync(service.readyFile)).toBe(false);
  });
});

describe('caregate, told to stop in the moment in which its ready file is there', () => {
  it('stops as at any other', async () => {
    const work = newFolder();
    const ready = join(work, 'ready.json');
    const preload = join(work, 'signal.cjs');
    writeFileSync(
      preload,
      `const { promises } = require('node:fs');
       const { rename } = promises;
       promises.rename = async (from, to) => {
         await rename(from, to);
         if (to === ${JSON.stringify(ready)}) process.kill(process.pid, 'SIGTERM');
       };
       require('node:module').syncBuiltinESMExports();`,
    );
    const flags = ['--data', join(work, 'data'), '--port', '0', '--ready-file', ready];
    const child = spawn(process.execPath, ['--require', preload, bin, 'serve', ...flags], {
      stdio: 'ignore',
      // Ends a process whose signal was lost.
      timeout: 500_000,
      killSignal: 'SIGKILL',
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(existsSync(ready)).toBe(false);
    removeFolder(work);
  });
});

function newFolderIn(parent: string): string {
  return mkdtempSync(join(parent, 'other-'));
}
