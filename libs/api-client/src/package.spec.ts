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

const DOMAIN = {
  '@caregate/domain': ['isUuid'],
  '@caregate/domain/operations': ['LIST_USERS'],
  '@caregate/domain/validate': ['validateUser'],
  '@caregate/domain/serialize': ['serializeUser'],
  '@caregate/domain/schema': ['bundled'],
  '@caregate/domain/answers': ['ANSWER_VALIDATORS'],
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

  it.each([
    ['await import', 'testing.mjs'],
    ['require', 'testing.cjs'],
  ])('gives a program what it tests itself with, by %s', async (load, file) => {
    const program = `(async () => {
      const { HealthDataClient, NotFoundError } = ${load}('@caregate/api-client');
      const { EXAMPLE_ANSWERS, FakeTransport, refuse } = ${load}('@caregate/api-client/testing');
      const transport = new FakeTransport({ latestInsurance: refuse(404) });
      const client = new HealthDataClient({ baseUrl: 'https://health.example', apiKey: 'k', transport });
      const user = await client.users.resolve('patient-17');
      const none = await client.users.latestInsurance(user.user_id).catch((error) => error);
      console.log(user.user_id === EXAMPLE_ANSWERS.resolveUser.user_id, none instanceof NotFoundError);
    })()`;
    await writeFile(join(project.consumer, file), program);
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: project.consumer,
    });
    expect(stdout).toBe('true true\n');
  });

  it('type-checks where the types of a package are found as Node once found its files, every entry point', async () => {
    const entries = Object.entries({ ...NAMES, ...DOMAIN });
    const lines = entries.map(
      ([entry, [name]]) => `import { ${name} } from '${entry}'; use(${name});`,
    );
    const program = `declare function use(it: string): void;\n${lines.join('\n')}`;
    await writeFile(join(project.consumer, 'node10.ts'), program);
    const flags = ['--noEmit', '--strict', '--module', 'commonjs', '--target', 'es2022'];
    const old = ['--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'];
    const checked = tool(
      project.consumer,
      '@typescript/old/bin/tsc',
      ...flags,
      ...old,
      'node10.ts',
    );
    // That each name is known, and no string, is all that is wrong.
    const said = await checked.catch((error: unknown) => String(error));
    expect(said.match(/TS\d+/gu)).toEqual(entries.map(() => 'TS2345'));
  });

  it.each(['api-client', 'domain'])(
    '%s holds licence, changelog, sources for its source maps, and no tests',
    async (name) => {
      const { stdout } = await promisify(execFile)('tar', ['-tzf', project.tarballs[name] ?? '']);
      const files = stdout.split('\n');
      for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md', 'dist/cjs/package.json']) {
        expect(files).toContain(`package/${name}`);
      }
      expect(files).toContain('package/src/index.ts');
      const ofTests = /\.spec\.|\.testing\.|^package\/testing|test-results|tsconfig/;
      expect(files.filter((file) => ofTests.test(file))).toEqual([]);
    },
  );
});

/** What the examples of the README ask, a service of examples answers. */
const SERVICE_OF_EXAMPLES = `
import { HealthDataClient } from '@caregate/api-client';
import { EXAMPLE_ANSWERS, FakeTransport } from '@caregate/api-client/testing';

const service = new FakeTransport();
const json = { status: 200, headers: { 'content-type': 'application/json' } };
globalThis.fetch = async (url, { method, headers, body, signal }) => {
  const given = { method, url, headers, signal, maxBodyBytes: 1e6, ...(body && { body }) };
  if (url.endsWith('/devices')) return new Response('{"devices":[]}', json);
  const answer = await service.request(given);
  return new Response(answer.body || null, answer);
};
const baseUrl = 'https://health.example';
const { user_id: userId } = EXAMPLE_ANSWERS.resolveUser;
const { record_id: recordId } = EXAMPLE_ANSWERS.recordDeskEvent;
const secret = async () => 'test-key';
process.env.CAREGATE_API_KEY = 'test-key';
Object.assign(globalThis, { HealthDataClient, baseUrl, userId, recordId, apiKey: 'test-key' });
Object.assign(globalThis, { client: new HealthDataClient({ baseUrl, apiKey: 'test-key' }) });
Object.assign(globalThis, { session: 's', signProof: secret, readSecret: secret, observe: () => {} });
for (const file of process.argv.slice(2)) await import(file);
console.log('all');
`;

describe('the documents of the package', () => {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
  const flags = [...strict, '--target', 'es2023', '--types', 'node', '--skipLibCheck'];

  it('README has code blocks that compile, and do what they say', async () => {
    const { consumer } = project;
    const blocks = await readmeBlocks(join(consumer, 'node_modules/@caregate/api-client'));
    expect(blocks.length).toBeGreaterThan(12);
    const files = await writeExamples(consumer, 'readme', blocks);
    await typescript(consumer, ...flags, ...files);
    await writeFile(join(consumer, 'readme.mjs'), SERVICE_OF_EXAMPLES);
    // One needs a certificate on the disk.
    const run = files.filter((_, at) => at > 0 && !blocks[at - 1]!.includes('readFileSync'));
    const printed = await tool(
      consumer,
      join(consumer, 'readme.mjs'),
      ...run.map((file) => `./${file}`),
    );
    expect(printed.split('\n').at(-2)).toBe('all');
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
    const files = await writeExamples(consumer, 'hover', examples, entries);
    await typescript(consumer, ...flags, ...files);
  });
});
