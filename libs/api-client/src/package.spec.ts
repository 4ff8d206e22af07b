import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { documented, readmeBlocks, writeExamples } from '../testing/documented.ts';
import { packed, tool, typescript } from '../testing/packed.ts';
import type { Packed } from '../testing/packed.ts';

const NAMES = {
  '@caregate/api-client': ['HealthDataClient', 'connect', 'NotFoundError'],
  '@caregate/api-client/axios': ['AxiosTransport'],
  '@caregate/api-client/node': ['NodeTransport'],
  '@caregate/api-client/service': ['connectService', 'signInInfo'],
  '@caregate/api-client/testing': ['FakeTransport', 'refuse', 'disconnect'],
  '@caregate/api-client/validate': ['validation'],
};

let folder: string;
let project: Packed;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'caregate-packed-'));
  project = await packed(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package as it is published', () => {
  it('loads with import and with require, every entry point', async () => {
    const checks = Object.entries(NAMES).map(([entry, names]) => [entry, names] as const);
    const list = JSON.stringify(checks);
    const check = (load: string): string =>
      `(async () => { for (const [entry, names] of ${list}) { const found = ${load}(entry);
        for (const name of names) if (typeof (await found)[name] !== 'function') throw new Error(name); } })()`;
    await writeFile(join(project.consumer, 'esm.mjs'), check('await import'));
    await writeFile(join(project.consumer, 'cjs.cjs'), check('require'));
    const run = promisify(execFile);
    for (const file of ['esm.mjs', 'cjs.cjs']) {
      await run(process.execPath, [file], { cwd: project.consumer });
    }
  });
});

/** Serves the requests of the README's examples, and runs them. */
const RUN_EXAMPLES = `
import { FakeTransport } from '@caregate/api-client/testing';

const service = new FakeTransport();
const json = { status: 200, headers: { 'content-type': 'application/json' } };
globalThis.fetch = async (url, { method, headers, body, signal }) => {
  if (url.endsWith('/openapi.json')) return new Response('{"info":{"version":"1"}}', json);
  const given = { method, url, headers, signal, maxBodyBytes: 1e6, ...(body && { body }) };
  const answer = await service.request(given);
  return new Response(answer.body || null, answer);
};
process.env.CAREGATE_API_KEY = 'test-key';
await import('./readme-run.mts');
await import('./readme-test.mts');
const asked = new Set(service.requests.map(({ operation }) => operation));
console.log(\`asked for \${asked.size} operations\`);
`;

describe('the documents of the package', () => {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
  const flags = [...strict, '--target', 'es2023', '--types', 'node', '--skipLibCheck'];

  it('READMEs have examples that compile, each page as one program, and run', async () => {
    const { consumer } = project;
    const modules = join(consumer, 'node_modules/@caregate');
    const blocks = await readmeBlocks(join(modules, 'api-client'));
    const isTest = (code: string): boolean => code.includes('FakeTransport');
    const needsFile = (code: string): boolean => code.includes('readFileSync(');
    const page = blocks.filter((code) => !isTest(code));
    const programs = {
      'readme.mts': page,
      'readme-run.mts': page.filter((code) => !needsFile(code)),
      'readme-test.mts': blocks.filter(isTest),
      'readme-domain.mts': await readmeBlocks(join(modules, 'domain')),
    };
    for (const [file, codes] of Object.entries(programs)) {
      expect(codes.length).toBeGreaterThan(0);
      await writeFile(join(consumer, file), codes.join('\n'));
    }
    await typescript(consumer, ...flags, ...Object.keys(programs));
    await writeFile(join(consumer, 'run.mjs'), RUN_EXAMPLES);
    const printed = await tool(consumer, join(consumer, 'run.mjs'));
    expect(printed.split('\n').at(-2)).toBe('asked for 7 operations');
  });

  it('hover docs have an example for every function and method, and each compiles', async () => {
    const { consumer } = project;
    const entries = Object.keys(NAMES);
    const all = documented(consumer, entries);
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Users.resolve', 'Orders.waitForResult', 'ApiPromise.withResponse']),
    );
    expect(all.filter(({ example }) => example === undefined)).toEqual([]);
    const examples = all.map(({ example }) => example ?? '');
    const files = await writeExamples(consumer, entries, examples);
    await typescript(consumer, ...flags, ...files);
  });
});
