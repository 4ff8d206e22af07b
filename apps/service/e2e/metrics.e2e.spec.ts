import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kill, newFolder, removeFolder, start, type Running } from './caregate.testing.ts';

const ops = fileURLToPath(new URL('../../../ops/', import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

let folder: string;
let running: Running;
let text: string;

beforeAll(async () => {
  folder = newFolder();
  mkdirSync(join(folder, 'copy'));
  const data = ['--data', join(folder, 'data'), '--checkpoint-copy', join(folder, 'copy')];
  running = await start(['serve', ...data], folder);
  // A request without a key has another status.
  expect((await fetch(`${running.ready.base_url}/v2/user/`)).status).toBe(401);
  text = await running.metrics();
});

afterAll(async () => {
  await running.end();
  kill(running);
  removeFolder(folder);
});

describe('what ops watches', () => {
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
