import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packedOnce } from '../testing/packed-once.ts';
import type { Packed } from '../testing/packed.ts';

const NAMES = {
  '@caregate/api-client': ['HealthDataClient', 'connect', 'resolveUser', 'NotFoundError'],
  '@caregate/api-client/axios': ['AxiosTransport'],
  '@caregate/api-client/helpers': ['logHooks', 'toArray'],
  '@caregate/api-client/node': ['NodeTransport'],
  '@caregate/api-client/service': ['connectService', 'signInInfo'],
  '@caregate/api-client/validate': ['validation'],
};

let project: Packed;

beforeAll(async () => {
  project = await packedOnce();
});

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

  it.each(['api-client', 'domain'])(
    '%s holds licence, changelog, sources for its source maps, and no tests',
    async (name) => {
      const { stdout } = await promisify(execFile)('tar', ['-tzf', project.tarballs[name] ?? '']);
      const files = stdout.split('\n');
      for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md', 'dist/cjs/package.json']) {
        expect(files).toContain(`package/${name}`);
      }
      expect(files).toContain('package/src/index.ts');
      expect(files.filter((file) => /spec|testing|test-results|tsconfig/.test(file))).toEqual([]);
    },
  );
});
