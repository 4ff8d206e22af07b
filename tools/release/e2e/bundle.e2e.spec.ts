import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bundleService } from '../src/bundle.ts';
import { startProgram, type Running } from './program.testing.ts';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly content: string }[];
}

let folder: string;
let program: readonly [string, string];
let demo: Running | undefined;

beforeAll(async () => {
  // Outside of the workspace, so that its node_modules are not found.
  folder = mkdtempSync(join(tmpdir(), 'caregate-bundle-'));
  await bundleService(join(folder, 'service'), '0.1.0');
  program = [join(folder, 'service/bin/node'), join(folder, 'service/dist/cli/main.js')];
});

afterAll(async () => {
  await demo?.end();
  rmSync(folder, { recursive: true, force: true });
});

function filesIn(at: string): string[] {
  const found = readdirSync(at, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile());
  return files.map(({ parentPath, name }) => relative(at, join(parentPath, name))).sort();
}

describe('the bundled service', () => {
  it('has each thread that it starts', () => {
    const files = readdirSync(join(folder, 'service/dist/cli'));
    const named = files.flatMap((file) => [
      ...readFileSync(join(folder, 'service/dist/cli', file), 'utf8').matchAll(
        /`\.\/(\w+)\.worker\./gu,
      ),
    ]);
    const threads = named.map(([, name]) => `${name ?? ''}.worker.js`);
    expect(new Set(threads)).toEqual(new Set(['log.worker.js', 'trail.worker.js']));
    expect(files).toEqual(expect.arrayContaining(threads));
  });

  it('runs where nothing is installed: answers each line that the demo prints, records it, shows its documentation', async () => {
    const ready = join(folder, 'ready.json');
    demo = await startProgram([...program, 'demo', '--port', '0', '--ready-file', ready], ready);
    // The text is printed after the ready file was written.
    while (!demo.stdout().includes('Ctrl-C')) await sleep(20);
    const text = demo.stdout().replaceAll('\\\n', '');
    const variables = [...text.matchAll(/^ {2}([A-Z_]+=.*)$/gmu)].map(([, line]) => line);
    const lines = [...text.matchAll(/^ {2}(curl .*)$/gmu)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) {
      const shell = [...variables, `${line} -i`].join('\n');
      const answer = execFileSync('sh', ['-c', shell], { encoding: 'utf8' });
      expect([line, answer]).toEqual([line, expect.stringMatching(/^HTTP\/1\.1 200 /u)]);
      // The thread of the audit log wrote the record.
      expect(answer).toMatch(/^x-audit-record-id: \S/mu);
    }
    const page = await fetch(`${demo.base_url}/docs`);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/gu)].map(
      ([, to]) => new URL(to ?? '', page.url).href,
    );
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      expect([asset, (await fetch(asset)).status]).toEqual([asset, 200]);
    }
    const found = await fetch(`${demo.base_url}/audit/events`, {
      headers: { 'x-service-api-key': demo.keys['auditor'] ?? '' },
    });
    expect(((await found.json()) as { events: unknown[] }).events.length).toBeGreaterThanOrEqual(
      lines.length,
    );
    const paper = join(folder, 'paper.html');
    const who = ['--team', demo.team_id, '--user', demo.sample.user_id, '--data', demo.data];
    const [node, main] = program;
    execFileSync(node, [main, 'person', 'export', '--format', 'html', '--out', paper, ...who]);
    expect(readFileSync(paper, 'utf8')).toMatch(/^<!doctype html>/iu);
    expect(await demo.end()).toBe(0);
    demo = undefined;
  });

  it('is the same bytes where it is made again, in another folder', async () => {
    const again = join(folder, 'again/service');
    await bundleService(again, '0.1.0');
    const files = filesIn(again);
    expect(files.length).toBeGreaterThan(10);
    expect(files).toEqual(filesIn(join(folder, 'service')));
    for (const name of files) {
      const [one, other] = [again, join(folder, 'service')].map((at) =>
        readFileSync(join(at, name)),
      );
      expect([name, one?.equals(other ?? Buffer.alloc(0))]).toEqual([name, true]);
    }
  });

  it('carries the licence of each package that is in it, and a bill of materials that package-lock.json bears out', () => {
    const read = (name: string): string => readFileSync(join(folder, 'service', name), 'utf8');
    const { components } = JSON.parse(read('sbom.cdx.json')) as { components: Component[] };
    const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name));
    expect(names).toEqual(
      expect.arrayContaining(['@nestjs/core', 'fastify', 'pg', 'swagger-ui-dist', 'node']),
    );
    const lock = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
    const licences = read('LICENSES.txt');
    components.forEach(({ version, hashes: [sha512] = [] }, at) => {
      const integrity = `sha512-${Buffer.from(sha512?.content ?? '', 'hex').toString('base64')}`;
      expect([names[at], lock.includes(`"integrity": "${integrity}"`)]).toEqual([names[at], true]);
      expect(licences).toContain(`\n${names[at] ?? ''} ${version}\n`);
    });
    expect(licences.match(/^={80}\n.+\n={80}$/gmu)).toHaveLength(components.length + 1);
  });
});
