import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packageJson, packagesOfWorkspace, root } from './packages.mjs';
import { importsWithin } from './source-files.mjs';

const published = packagesOfWorkspace()
  .filter(({ own }) => own.private !== true)
  .map(({ folder, own }) => [own.name, relative(root, folder)]);

let workspace;

beforeAll(() => {
  // A copy: npm packs what lies in the folder at that moment, and others read the real one meanwhile.
  workspace = mkdtempSync(join(tmpdir(), 'caregate-published-'));
  const isMade = (path) =>
    /[\\/](?:node_modules|dist|reports|\.stryker-tmp|[\w-]+-results\.json)$/u.test(path);
  for (const path of ['LICENSE', 'CHANGELOG.md', 'tools/setup', ...published.map(([, at]) => at)]) {
    cpSync(join(root, path), join(workspace, path), {
      recursive: true,
      filter: (from) => !isMade(from),
    });
  }
  // Other specs hold what is built; this one needs no build.
  published.forEach(([, at]) => mkdirSync(join(workspace, at, 'dist'), { recursive: true }));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

/** The files that npm would publish of a package, their names from the package's folder on. */
function packedFiles(at) {
  const flags = ['--dry-run', '--json', '--loglevel=error'];
  const printed = execFileSync('npm', ['pack', ...flags], {
    cwd: join(workspace, at),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  // What the scripts of the package print comes first.
  const [tarball] = Object.values(JSON.parse(printed.slice(printed.search(/^[[{]/mu))));
  return tarball.files.map(({ path }) => path);
}

describe.each(published)('%s as it is published', (_name, at) => {
  let files;

  beforeAll(() => {
    files = packedFiles(at);
  });

  it('carries licence, changelog and README, and leaves none behind in the sources', () => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'CHANGELOG.md', 'README.md']));
    expect(files.filter((file) => /\.spec\.|node_modules|test-results/u.test(file))).toEqual([]);
    expect(readdirSync(join(workspace, at))).not.toContain('LICENSE');
  });

  it('carries every file that its sources import, those that are built and not in git too', () => {
    const sources = files.filter((file) => /^src\/.*\.ts$/u.test(file));
    const imports = importsWithin(join(root, at)).filter(({ from }) => sources.includes(from));
    expect(imports.map(({ to }) => to).filter((to) => !files.includes(to))).toEqual([]);
  });

  it('says its licence and where its source is, and is published with provenance', () => {
    const { license, repository, publishConfig } = packageJson(join(root, at));
    expect(license).toBe('MIT');
    expect(repository).toEqual({
      type: 'git',
      url: expect.stringMatching(/^git\+https:/u),
      directory: at,
    });
    expect(publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('has a README whose links lead somewhere without this workspace', () => {
    const readme = readFileSync(join(root, at, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\((?<to>[^)\s]+)\)/gu)].map(({ groups }) => groups.to);
    const within = links.filter((to) => !/^(?:https:|#)/u.test(to));
    expect(within.filter((to) => !files.includes(to.replace(/#.*$/u, '')))).toEqual([]);
  });
});
