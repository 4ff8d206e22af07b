import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { build } from 'esbuild';
import { lstat, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { installer } from '../testing/installed.ts';
import type { Installer } from '../testing/installed.ts';
import { tool, typescript } from '../testing/packed.ts';
import { USER_ID } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';

const run = promisify(execFile);

type Entries = Readonly<Record<string, readonly string[]>>;

/** What the entry points without optional dependencies export. Names in capitals are objects. */
const ALONE: Entries = {
  '@caregate/domain': ['isUuid'],
  '@caregate/domain/operations': ['LIST_USERS', 'READ_OPERATIONS'],
  '@caregate/domain/answers': ['ANSWER_VALIDATORS'],
  '@caregate/domain/validate': ['validateUser'],
  '@caregate/domain/serialize': ['serializeUser'],
  '@caregate/domain/schema': ['bundled'],
  '@caregate/api-client': ['HealthDataClient', 'connect', 'NotFoundError'],
  '@caregate/api-client/axios': ['AxiosTransport'],
  '@caregate/api-client/node': ['NodeTransport'],
  '@caregate/api-client/testing': ['EXAMPLE_ANSWERS', 'FakeTransport', 'refuse'],
  '@caregate/api-client/validate': ['validation'],
};
/** Exports of the entry points with optional dependencies. */
const DTO: Entries = { '@caregate/domain/dto': ['UserDto', 'toInstance'] };
const PEERS = ['class-validator', 'class-transformer', 'reflect-metadata'];

/** A program that uses the entry points without dependencies, and no module of Node. */
const PROGRAM_ALONE = `
import { isUuid } from '@caregate/domain';
import type { User } from '@caregate/domain';
import { validateUser } from '@caregate/domain/validate';
import { bundled } from '@caregate/domain/schema';
import { serializeUser } from '@caregate/domain/serialize';
import { HealthDataClient } from '@caregate/api-client';
import { AxiosTransport } from '@caregate/api-client/axios';
import { NodeTransport } from '@caregate/api-client/node';
import { validation } from '@caregate/api-client/validate';

const client = new HealthDataClient({
  ...{ baseUrl: 'https://health.example', apiKey: 'k' },
  ...{ transport: new NodeTransport(), validation: validation('strict') },
});
export async function use(id: string): Promise<string> {
  const user: User = await client.users.resolve(id);
  const standard = await validateUser['~standard'].validate(user);
  return [isUuid(id), bundled('User').type, serializeUser(user), standard.issues, AxiosTransport].join();
}
`;

/** The same, with the classes, the operations of the service, and uses that types refuse. */
const PROGRAM = `${PROGRAM_ALONE}
import type { Insurance } from '@caregate/domain';
import { toInstance, UserDto } from '@caregate/domain/dto';
import type { ApiResponse } from '@caregate/api-client';
import { connectService, signInInfo } from '@caregate/api-client/service';

export async function useAll(id: string): Promise<string> {
  const answer: ApiResponse<User> = await client.users.resolve(id).withResponse();
  const user = answer.data;
  const { clinic_name: clinic } = await signInInfo(connectService({ baseUrl: id, apiKey: 'k' }));
  // @ts-expect-error: an id is a string
  await client.users.resolve(17);
  const insurance: Insurance = await client.users.latestInsurance(user.user_id);
  const verdict = validateUser(user);
  // @ts-expect-error: it says whether it is one before it gives one
  verdict.value;
  // @ts-expect-error: a number is no member id
  const wrong: number = insurance.member_id;
  const dto: UserDto = toInstance(UserDto, user);
  return [dto.team_id, wrong, clinic].join();
}
`;

/** A user as in the interface document. */
const USER = {
  user_id: USER_ID,
  team_id: USER_ID,
  client_user_id: 'patient-17',
  created_on: '2025-01-01T00:00:00+00:00',
  connected_sources: [],
  fallback_time_zone: {
    id: 'Europe/Berlin',
    source_slug: 'oura',
    updated_at: '2025-01-01T00:00:00Z',
  },
};

let npm: Installer;

beforeAll(async () => {
  npm = await installer();
});
afterAll(() => npm.remove());

/** Loads every entry point, and checks its exports. */
async function load(project: string, entries: Entries): Promise<void> {
  const ways = { 'esm.mjs': 'await import', 'cjs.cjs': 'require' };
  for (const [file, way] of Object.entries(ways)) {
    const checks = Object.entries(entries).map(
      ([entry, names]) => `
        found = ${way}('${entry}');
        for (const name of ${JSON.stringify(names)}) if (typeof found[name] !== (/[a-z]/.test(name) ? 'function' : 'object')) throw new Error(name);`,
    );
    const code = `(async () => { let found; ${checks.join('')} console.log('all'); })()`;
    await writeFile(join(project, file), code);
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    expect(stdout).toBe('all\n');
  }
}

async function typeCheck(project: string, program: string, ...flags: string[]): Promise<void> {
  const files = ['program.mts', 'program.cts'];
  for (const file of files) await writeFile(join(project, file), program);
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes'];
  for (const module of ['nodenext', 'node16']) {
    const modules = ['--module', module, '--target', 'es2023'];
    await typescript(project, ...strict, ...modules, ...flags, ...files);
  }
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023'];
  await typescript(project, ...strict, ...bundler, ...flags, 'program.mts');
}

describe('npm install of both packed libraries in an empty project', () => {
  let project: string;

  beforeAll(async () => {
    project = await npm.project();
  });

  it('puts there files of their own, and nothing else at all', async () => {
    const modules = join(project, 'node_modules');
    expect((await readdir(modules)).sort()).toEqual(['.package-lock.json', '@caregate']);
    const scope = join(modules, '@caregate');
    expect((await readdir(scope)).sort()).toEqual(['api-client', 'domain']);
    for (const name of await readdir(scope)) {
      expect((await lstat(join(scope, name))).isSymbolicLink()).toBe(false);
      expect(await readdir(join(scope, name))).not.toContain('node_modules');
    }
    const lock = await readFile(join(project, 'package-lock.json'), 'utf8');
    expect(lock).toContain('"node_modules/@caregate/domain"');
    expect(lock).not.toContain('"link": true');
  });

  it.each(['api-client', 'domain'])('puts there a %s without fault for publint', async (name) => {
    const publint = 'tools/setup/long/node_modules/publint/src/cli.js';
    const program = new URL(`../../../${publint}`, import.meta.url).pathname;
    const folder = join(project, 'node_modules/@caregate', name);
    await tool(folder, program, 'run', '.', '--strict', '--pack', 'false');
  });

  it('is all that every entry point but the classes needs, as ES module and as CommonJS', async () => {
    await load(project, ALONE);
  });

  describe('is all that a program needs which reads from a service', () => {
    const asks = (load: string): string => `(async () => {
      const { HealthDataClient, NotFoundError } = ${load}('@caregate/api-client');
      const { validation } = ${load}('@caregate/api-client/validate');
      const client = new HealthDataClient({ baseUrl: SERVICE, apiKey: 'k', validation: validation('strict') });
      const user = await client.users.resolve('patient-17');
      const none = await client.users.resolve('nobody').catch((error) => error);
      return [user.user_id, none instanceof NotFoundError].join();
    })()`;
    const answer = `${USER_ID},true`;
    let server: TestServer;

    beforeAll(async () => {
      server = await TestServer.start();
      server.answer = (request, response) => {
        const isThere = request.url?.endsWith('patient-17') === true;
        response.writeHead(isThere ? 200 : 404).end(JSON.stringify(isThere ? USER : {}));
      };
    });
    afterAll(() => server.stop());

    it.each([
      ['esm', 'use.mjs', 'await import'],
      ['CommonJS', 'use.cjs', 'require'],
    ])('as %s', async (_form, file, load) => {
      const code = asks(load).replace('SERVICE', JSON.stringify(server.url));
      await writeFile(join(project, file), `${code}.then(console.log);`);
      const { stdout } = await run(process.execPath, [file], { cwd: project });
      expect(stdout.trim()).toBe(answer);
    });

    it('in a browser, bundled by esbuild, with what browsers have alone', async () => {
      const imports = `import * as client from '@caregate/api-client'; import * as validate from '@caregate/api-client/validate';
        const load = (name) => (name.endsWith('validate') ? validate : client);`;
      const contents = `${imports} globalThis.answer = ${asks('load')};`;
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: project },
        ...{ bundle: true, format: 'iife', platform: 'browser', target: 'es2022', write: false },
        define: { SERVICE: JSON.stringify(server.url) },
      });
      const { fetch, URL, AbortController, TextDecoder, setTimeout, clearTimeout, performance } =
        globalThis;
      const page = createContext({
        ...{ fetch, URL, AbortController, TextDecoder, setTimeout, clearTimeout, performance },
      }) as { answer?: Promise<string> };
      runInContext(outputFiles[0]!.text, page);
      expect(await page.answer).toBe(answer);
    });
  });

  it('is all that their types need', async () => {
    await typeCheck(project, PROGRAM_ALONE, '--skipLibCheck', 'false', '--lib', 'es2023,dom');
  });
});

describe('with what the classes need installed beside them', () => {
  const entries = { ...ALONE, ...DTO };
  let project: string;

  beforeAll(async () => {
    project = await npm.project(...PEERS, '@types/node');
  });

  it('the classes load as ES module and as CommonJS', async () => {
    await load(project, DTO);
  });

  it('every entry point loads in Jest as it comes, which requires no ES modules', async () => {
    const code = `for (const [entry, names] of ${JSON.stringify(Object.entries(entries))}) {
      test.each(names)(entry + ' has %s', (name) => expect(typeof require(entry)[name]).toBe(/[a-z]/.test(name) ? 'function' : 'object'));
    }`;
    await writeFile(join(project, 'entries.test.js'), code);
    const printed = join(project, 'jest.json');
    await tool(project, 'jest/bin/jest.js', '--json', '--outputFile', printed);
    const { numPassedTests, numTotalTests } = JSON.parse(await readFile(printed, 'utf8')) as {
      numPassedTests: number;
      numTotalTests: number;
    };
    const wanted = Object.values(entries).flat().length;
    expect([numPassedTests, numTotalTests]).toEqual([wanted, wanted]);
  });

  it('every entry point type-checks in both, and types are more than any', async () => {
    await typeCheck(project, PROGRAM, '--types', 'node', '--experimentalDecorators');
  });
});
