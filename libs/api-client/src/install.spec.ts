import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { lstat, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installed } from '../testing/installed.ts';
import type { Installed } from '../testing/installed.ts';
import { tool, typescript } from '../testing/packed.ts';

const run = promisify(execFile);

/** Something of each entry point; the transport for axios comes where axios is installed as well. */
const ENTRIES = {
  '@caregate/domain': ['isUuid'],
  '@caregate/domain/validate': ['validateUser'],
  '@caregate/domain/serialize': ['serializeUser'],
  '@caregate/domain/schema': ['bundled'],
  '@caregate/domain/dto': ['UserDto', 'toInstance'],
  '@caregate/api-client': ['HealthDataClient', 'connect', 'resolveUser', 'NotFoundError'],
  '@caregate/api-client/node': ['NodeTransport'],
  '@caregate/api-client/validate': ['validation'],
};

const PROGRAM = `
import { isUuid } from '@caregate/domain';
import type { Insurance, User } from '@caregate/domain';
import { toInstance, UserDto } from '@caregate/domain/dto';
import { bundled } from '@caregate/domain/schema';
import { serializeUser } from '@caregate/domain/serialize';
import { validateUser } from '@caregate/domain/validate';
import { HealthDataClient } from '@caregate/api-client';
import { NodeTransport } from '@caregate/api-client/node';
import { validation } from '@caregate/api-client/validate';

const client = new HealthDataClient({
  ...{ baseUrl: 'https://health.example', apiKey: 'k' },
  ...{ transport: new NodeTransport(), validation: validation('strict') },
});
export async function use(id: string): Promise<string> {
  const user: User = await client.users.resolve(id);
  const insurance: Insurance = await client.users.latestInsurance(user.user_id);
  const verdict = validateUser(user);
  // @ts-expect-error: it says whether it is one before it gives one
  verdict.value;
  // @ts-expect-error: a number is no member id
  const wrong: number = insurance.member_id;
  const dto: UserDto = toInstance(UserDto, user);
  return [isUuid(id), bundled('User').type, serializeUser(user), dto.team_id, wrong].join();
}
`;

let project: Installed;

// npm and compilers take their time where everything runs at once.
beforeAll(async () => {
  project = await installed();
});
afterAll(() => project.remove());

describe('npm install of both tarballs in an empty project', () => {
  it('puts them there as files of their own, with nothing of this workspace', async () => {
    const scope = join(project.project, 'node_modules/@caregate');
    expect((await readdir(scope)).sort()).toEqual(['api-client', 'domain']);
    for (const name of await readdir(scope)) {
      expect((await lstat(join(scope, name))).isSymbolicLink()).toBe(false);
      expect(await readdir(join(scope, name))).not.toContain('node_modules');
    }
    const lock = await readFile(join(project.project, 'package-lock.json'), 'utf8');
    expect(lock).toContain('"node_modules/@caregate/domain"');
    expect(lock).not.toContain('"link": true');
  });

  it.each([
    ['an ES module', 'esm.mjs', 'await import'],
    ['CommonJS', 'cjs.cjs', 'require'],
  ])('every entry point loads in %s', async (_what, file, load) => {
    const checks = Object.entries(ENTRIES).map(
      ([entry, names]) => `
        found = ${load}('${entry}');
        for (const name of ${JSON.stringify(names)}) if (typeof found[name] !== 'function') throw new Error(name);`,
    );
    // What its decorators leave their metadata in is the program's to load.
    const code = `(async () => { let found; ${load}('reflect-metadata'); ${checks.join('')} console.log('all'); })()`;
    await writeFile(join(project.project, file), code);
    const { stdout } = await run(process.execPath, [file], { cwd: project.project });
    expect(stdout).toBe('all\n');
  });

  it('every entry point loads in Jest as it comes, which requires no ES modules', async () => {
    const code = `for (const [entry, names] of ${JSON.stringify(Object.entries(ENTRIES))}) {
      test.each(names)(entry + ' has %s', (name) => expect(typeof require(entry)[name]).toBe('function'));
    }`;
    await writeFile(join(project.project, 'entries.test.js'), code);
    const printed = join(project.project, 'jest.json');
    await tool(project.project, 'jest/bin/jest.js', '--json', '--outputFile', printed);
    const { numPassedTests, numTotalTests } = JSON.parse(await readFile(printed, 'utf8')) as {
      numPassedTests: number;
      numTotalTests: number;
    };
    const wanted = Object.values(ENTRIES).flat().length;
    expect([numPassedTests, numTotalTests]).toEqual([wanted, wanted]);
  });

  it('every entry point type-checks in both, and types are more than any', async () => {
    const files = ['program.mts', 'program.cts'];
    for (const file of files) {
      await writeFile(join(project.project, file), PROGRAM);
    }
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', 'node'];
    const decorators = ['--experimentalDecorators', '--module', 'nodenext', '--target', 'es2023'];
    await typescript(project.project, ...flags, ...decorators, ...files);
  });
});
