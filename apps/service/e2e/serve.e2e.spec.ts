import { beforeAll, describe, expect, it } from '@jest/globals';
import { listPersonas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bin, caregate, newFolder, openSocket, start, withLimits } from './caregate.testing.ts';
import type { Running } from './caregate.testing.ts';

const ops = fileURLToPath(new URL('../../../ops/', import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

const folder = newFolder();
const data = join(folder, 'data');

function peopleFile(): string {
  const file = join(folder, 'people.ndjson.gz');
  const lines = Array.from(sampleEnvelopes({ users: 12 }), (envelope) => JSON.stringify(envelope));
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
  return file;
}

const createKey = (...more: string[]): { key: string; key_id: string } => {
  const flags = ['--team', sampleTeamId, '--data', data, '--json', '--label', 'e2e', ...more];
  const created = caregate(['keys', 'create', ...flags]);
  expect([created.status, created.stderr]).toEqual([0, '']);
  return JSON.parse(created.stdout) as { key: string; key_id: string };
};

describe('caregate serve', () => {
  let service: Running;

  beforeAll(async () => {
    mkdirSync(join(folder, 'copy'));
    const copy = ['--checkpoint-copy', join(folder, 'copy')];
    service = await start(['serve', '--data', data, ...copy], folder);
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

  describe('metrics that ops watches', () => {
    let text: string;
    beforeAll(async () => {
      // A request without a key has another status.
      expect((await fetch(`${service.ready.base_url}/v2/user/`)).status).toBe(401);
      text = await service.metrics();
    });

    it.each(['alerts.yml', 'dashboard.json'])('%s names metrics that the service has', (name) => {
      const named = new Set(
        readFileSync(join(ops, name), 'utf8').match(/\b(?:caregate|process)_[a-z_]+/gu),
      );
      // Some metrics only have a value on PostgreSQL.
      const lines = [...text.matchAll(/^(?:# TYPE )?(?<name>[a-z_]+)(?:\{| )/gmu)];
      const has = new Set(lines.map(([, each]) => each));
      expect(named.size).toBeGreaterThan(5);
      expect([...named].filter((each) => !has.has(each))).toEqual([]);
    });

    it('the runbook has a section for each alert, and for nothing else', () => {
      const runbook = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
      const alerts = readFileSync(join(ops, 'alerts.yml'), 'utf8');
      const sections = runbook.match(/(?<=^### )Caregate\S+/gmu) ?? [];
      expect(sections).toHaveLength(10);
      expect(sections.toSorted()).toEqual((alerts.match(/(?<=alert: )\S+/gu) ?? []).toSorted());
    });

    (hasPromtool ? it : it.skip)(
      'passes the checks of Prometheus: names, rules, when each fires',
      () => {
        const promtool = (arguments_: readonly string[], input = ''): string => {
          const { status, stdout, stderr } = spawnSync('promtool', arguments_, {
            ...{ cwd: ops, input, encoding: 'utf8' },
          });
          return status === 0 ? '' : stdout + stderr;
        };
        expect(promtool(['check', 'metrics'], text)).toBe('');
        expect(promtool(['check', 'rules', 'alerts.yml'])).toBe('');
        const tests = ['alerts.test.yml', 'alerts-within-60s.test.yml'];
        expect(promtool(['test', 'rules', ...tests])).toBe('');
      },
    );
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
  });
});

function newFolderIn(parent: string): string {
  return mkdtempSync(join(parent, 'other-'));
}
