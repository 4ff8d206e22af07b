import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setVersion } from './version.ts';
import { getBuiltVersion, root } from './workspace.ts';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: object;
};
const manifests = Object.keys(packages)
  .filter((key) => !key.includes('node_modules/'))
  .map((folder) => join(folder, 'package.json'));
const client = 'libs/api-client/src/transport/user-agent.ts';

let copy: string;
const read = (name: string): string => readFileSync(join(copy, name), 'utf8');
const ownVersions = (name: string): string[] =>
  [...read(name).matchAll(/(?:@caregate\/[\w-]+": "|caregate",\s+"version": ")(\d[^"]*)/gu)].map(
    ([, version = '']) => version,
  );

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'caregate-version-'));
  for (const name of [...manifests, 'package-lock.json', 'CHANGELOG.md', client]) {
    cpSync(join(root, name), join(copy, name));
  }
});
afterAll(() => {
  rmSync(copy, { recursive: true });
});

describe('the next version', () => {
  it('is that of every package, of what each needs of the others, and of what the client says', () => {
    expect(setVersion('7.8.9', copy)).toBe('7.8.9');
    expect(manifests.length).toBeGreaterThan(10);
    for (const name of manifests) {
      expect([name, (JSON.parse(read(name)) as { version: string }).version]).toEqual([
        ...[name, '7.8.9'],
      ]);
    }
    const needed = [...manifests, 'package-lock.json'].flatMap(ownVersions);
    expect(needed.length).toBeGreaterThan(manifests.length);
    expect(new Set(needed)).toEqual(new Set(['7.8.9']));
    const { packages: locked } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version?: string }>;
    };
    const own = Object.entries(locked).filter(([key]) => !key.includes('node_modules/'));
    expect(own.filter(([, { version }]) => version !== '7.8.9')).toEqual([]);
    expect(read(client)).toContain("VERSION = '7.8.9'");
    expect(read('CHANGELOG.md')).toMatch(
      /^## Unreleased\n\n## 7\.8\.9 \(\d{4}-\d\d-\d\d\)\n\n### Added/mu,
    );
  });

  it('follows the one before it', () => {
    const versions = [undefined, 'minor', 'patch', 'major'].map((each) => setVersion(each, copy));
    expect(versions).toEqual(['7.8.10', '7.9.0', '7.9.1', '8.0.0']);
    expect(() => setVersion('next', copy)).toThrow('"next" is neither a version nor patch');
  });
});

describe('the version of a build', () => {
  it('is the release alone at its tag, and names the commit anywhere else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-built-'));
    const git = (...words: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
        ...{ cwd: folder, encoding: 'utf8' },
      });
    try {
      writeFileSync(join(folder, 'package.json'), '{ "version": "7.8.9" }');
      expect(getBuiltVersion(folder)).toBe('7.8.9');
      git('init', '-q');
      git('commit', '-q', '--allow-empty', '-m', 'first');
      expect(getBuiltVersion(folder)).toMatch(/^7\.8\.9\+g[0-9a-f]{8}$/u);
      git('tag', 'v7.8.9');
      expect(getBuiltVersion(folder)).toBe('7.8.9');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
