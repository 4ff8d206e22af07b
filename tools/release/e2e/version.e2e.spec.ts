import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../src/workspace.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A clone without a past: the program changes files, and looks at what git knows. */
let clone: string;

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@caregate.example', ...words], {
    cwd: clone,
    encoding: 'utf8',
  });
const read = (name: string): string => readFileSync(join(clone, name), 'utf8');
const manifests = (): readonly Manifest[] =>
  git('ls-files', '*package.json')
    .split('\n')
    .filter((name) => /^(?:(?:libs(?:\/testing)?|apps|tools)\/[\w-]+\/)?package\.json$/u.test(name))
    .map((name) => JSON.parse(read(name)) as Manifest);

function commit(file: string, message: string): void {
  writeFileSync(join(clone, file), message);
  git('add', '.');
  git('commit', '--quiet', '--message', message);
}

function setVersion(version: string): string {
  const program = [join(clone, 'tools/release/src/main.ts'), 'version', version];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false', NX_CACHE_DIRECTORY: join(clone, '.nx-cache') },
  });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'caregate-version-'));
  rmSync(clone, { recursive: true });
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  for (const changed of ['nx.json', 'tools/release/src', 'libs/api-client/src/transport']) {
    cpSync(join(root, changed), join(clone, changed), { recursive: true });
  }
  for (const folder of ['.', 'apps/service', 'apps/desktop', 'tools/release']) {
    const modules = join(root, folder, 'node_modules');
    if (existsSync(modules)) symlinkSync(modules, join(clone, folder, 'node_modules'));
  }
});
afterAll(() => {
  rmSync(clone, { recursive: true, force: true });
});

describe('the next version', () => {
  it('is that of every package, of what each needs of the others, and of what the client says', () => {
    commit('libs/api-client/one.txt', 'feat(api-client): Devices are listed');
    commit('apps/service/two.txt', 'Labels print at any size');
    setVersion('7.8.9');
    const all = manifests();
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter(({ version }) => version !== '7.8.9')).toEqual([]);
    const needed = all
      .flatMap(({ dependencies, devDependencies }) =>
        Object.entries({ ...dependencies, ...devDependencies }),
      )
      .filter(([name]) => name.startsWith('@caregate/'));
    expect(needed.filter(([, version]) => version !== '7.8.9')).toEqual([]);
    expect(read('libs/api-client/src/transport/user-agent.ts')).toContain("VERSION = '7.8.9'");
    expect(read('package-lock.json')).toContain('"version": "7.8.9"');
  });

  it('has every commit in docs/changes.md, by its kind, and what people notice under its heading', () => {
    const [, added = '', changes = ''] =
      /^## 7\.8\.9 .*?### Added\n(.*?)### Changes\n(.*)$/su.exec(read('docs/changes.md')) ?? [];
    expect(added).toContain('- **api-client:** Devices are listed');
    expect(changes).toContain('- Labels print at any size');
    expect(read('CHANGELOG.md')).toMatch(
      /^## Unreleased\n\n## 7\.8\.9 \(\d{4}-\d\d-\d\d\)\n\n### Added/mu,
    );
  });

  it('commits and tags nothing, and the one after stands before it', () => {
    expect(git('log', '-1', '--format=%s').trim()).toBe('Labels print at any size');
    expect(git('tag').trim()).toBe('');
    git('add', '.');
    git('commit', '--quiet', '--message', '7.8.9');
    git('tag', 'v7.8.9');
    commit('apps/service/two.txt', 'fix(service): A label has its margin');
    setVersion('7.8.10');
    const text = read('docs/changes.md');
    const [newest = '', older = ''] = text.split('## 7.8.9');
    expect(newest).toContain('- **service:** A label has its margin');
    expect(newest).not.toContain('Labels print');
    expect(older).toContain('Labels print');
  });
});
