import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');
const own = join(root, 'libs/audit-log');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-audit-package-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Builds and packs a copy of the package, and unpacks it in a project that only has its dependencies. */
function consumer(): string {
  const copy = join(folder, 'libs/audit-log');
  for (const path of ['LICENSE', 'CHANGELOG.md', 'tsconfig.base.json']) {
    cpSync(join(root, path), join(folder, path));
  }
  cpSync(own, copy, {
    recursive: true,
    filter: (path) => !/[\\/](?:dist|node_modules)$/u.test(path),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const run = (program: string, ...words: readonly string[]): string =>
    execFileSync(program, words, { cwd: copy, encoding: 'utf8' });
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  run(process.execPath, compiler, '-p', 'tsconfig.build.json');
  const tarball = run('npm', 'pack', '--silent').trim().split('\n').at(-1) ?? '';
  const project = join(folder, 'project');
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@caregate/audit-log'), { recursive: true });
  const unpack = ['-xzf', tarball, '-C', join(modules, '@caregate/audit-log')];
  run('tar', ...unpack, '--strip-components=1');
  symlinkSync(join(root, 'node_modules/pg'), join(modules, 'pg'));
  return project;
}

describe('the package as it is published', () => {
  it('runs the example of its README', () => {
    const project = consumer();
    const readme = readFileSync(join(own, 'README.md'), 'utf8');
    const [, example = ''] = /```js\n(.*?)```/su.exec(readme) ?? [];
    writeFileSync(join(project, 'example.mjs'), example);
    const printed = execFileSync(process.execPath, ['example.mjs', join(project, 'log')], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(printed).toBe('2 records verified\n1 openDoor by amara, proved with 1 hash\n');
  });
});
