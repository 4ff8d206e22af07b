import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../src/workspace.ts';
import { caregate as program } from './program.testing.ts';

interface Published {
  readonly name: string;
  readonly private?: boolean;
  readonly engines: { readonly node: string };
  readonly exports?: Readonly<Record<string, object | string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const published = globSync('{apps,libs,tools}/*/package.json', { cwd: root })
  .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Published)
  .filter((each) => each.private !== true);
/** Optional peer dependencies. */
const PEERS = ['axios', 'class-transformer', 'class-validator', 'reflect-metadata'];
const team = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const keys = ['keys', 'create', '--data', 'd', '--team', team, '--role', 'admin', '--label', 'x'];
/** A simple call of each command. */
const commands: Record<string, readonly string[]> = {
  caregate: keys,
  'caregate-sample-data': ['--users', '9'],
};

/** Returns the lowest version of a range, such as `20.19.0` for `>=20.19`. */
function lowestOf({ engines }: Published): string {
  const [, major, minor = '0'] = /^>=(\d+)(?:\.(\d+))?$/u.exec(engines.node) ?? [];
  expect(major).toBeDefined();
  return `${major}.${minor}.0`;
}

let folder: string;
const npm = (cwd: string, ...words: string[]): string =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  });

/** Installs packages in an empty project folder. */
function install(project: string, ...packages: string[]): void {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  npm(project, 'install', '--ignore-scripts', ...packages);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-lowest-'));
  published.forEach(({ name }) => npm(root, 'pack', '-w', name, '--pack-destination', folder));
  const tarballs = globSync('*.tgz', { cwd: folder }).map((file) => join(folder, file));
  expect(tarballs).toHaveLength(published.length);
  const peers = PEERS.map((name) => {
    const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    return `${name}@${(JSON.parse(manifest) as { version: string }).version}`;
  });
  install(join(folder, 'all'), ...tarballs, ...peers);
  const caregate = (...words: string[]): string =>
    execFileSync(process.execPath, [program, ...words], {
      cwd: join(folder, 'all'),
      encoding: 'utf8',
    });
  caregate(...keys);
  caregate('audit', 'export', '--data', 'd', '--out', 'log.ndjson');
  const publicKey = caregate('audit', 'public-key', '--data', 'd').trim();
  commands['caregate-audit-verifier'] = ['log.ndjson', publicKey];
  for (const version of new Set(published.map(lowestOf))) {
    const own = `node-${process.platform}-${process.arch}`;
    install(join(folder, version), `node@npm:${own}@${version}`);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.each(published.map((each) => [each.name, each.engines.node, each] as const))(
  '%s, packed, on the lowest Node of %s',
  (name, _, each) => {
    const run = (...words: string[]): string =>
      execFileSync(join(folder, lowestOf(each), 'node_modules/node/bin/node'), words, {
        cwd: join(folder, 'all'),
        encoding: 'utf8',
        env: {},
      });

    it('loads each entry point, and runs its command', () => {
      expect(run('--version')).toBe(`v${lowestOf(each)}\n`);
      for (const [path, ways] of Object.entries(each.exports ?? {})) {
        const entry = JSON.stringify(`${name}${path.slice(1)}`);
        if (path === './package.json') continue;
        if ('import' in Object(ways) || 'default' in Object(ways)) run('-e', `import(${entry})`);
        if ('require' in Object(ways)) run('-e', `require(${entry})`);
      }
      for (const [command, file] of Object.entries(each.bin ?? {})) {
        expect(run(join('node_modules', name, file), ...commands[command]!)).not.toBe('');
      }
    });
  },
);
