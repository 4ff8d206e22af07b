import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { packageJson, packagesOfWorkspace, root } from './packages.mjs';
import { isForTests, sourceFiles } from './source-files.mjs';

/** The folder that code in `from` finds a package in, whatever the package exports; undefined for none. */
function folderOf(name, from) {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const found = places
    .map((place) => join(place, name))
    .find((each) => existsSync(join(each, 'package.json')));
  return found === undefined ? undefined : realpathSync(found);
}

function declaredBy({ dependencies = {}, devDependencies = {} }) {
  return { ...devDependencies, ...dependencies };
}

const pins = packagesOfWorkspace().flatMap(({ folder, own }) =>
  Object.entries(declaredBy(own)).map(([name, version]) => [own.name, name, version, folder]),
);

describe('what a package of the workspace declares', () => {
  it.each(pins)('%s finds %s at version %s', (_package, name, version, folder) => {
    const found = folderOf(name, folder);
    const installed = found === undefined ? 'none' : packageJson(found).version;
    // `npm:name@version` installs a package under another name.
    expect(installed).toBe(version.split('@').at(-1));
  });

  it.each(pins)(
    '%s and %s share the packages that both need',
    (_package, name, _version, folder) => {
      const own = declaredBy(packageJson(folder));
      const dependency = folderOf(name, folder);
      const peers = Object.keys(packageJson(dependency).peerDependencies ?? {});
      for (const peer of peers.filter((each) => each in own)) {
        const places = [folder, dependency].map((from) => folderOf(peer, from) ?? 'none');
        const [ours, theirs] = places.map((place) => relative(root, place));
        expect([peer, theirs]).toEqual([peer, ours]);
      }
    },
  );

  it('is one axios, whoever loads it', () => {
    const users = ['apps/service', 'libs/api-client', 'tools/bench'];
    const found = users.map((user) => folderOf('axios', join(root, user)));
    expect(new Set(found)).toEqual(new Set([folderOf('axios', root)]));
    const { version } = packageJson(found[0]);
    expect(version).toBe(packageJson(join(root, 'apps/service')).dependencies.axios);
  });
});

describe('what Caregate was asked to be made of', () => {
  const files = packagesOfWorkspace()
    .filter(({ folder }) => folder !== root)
    .flatMap(({ folder, own }) =>
      sourceFiles(folder)
        .filter((file) => !isForTests(file))
        .map((file) => join(folder, file))
        .map((file) => ({ file, own, text: readFileSync(file, 'utf8') })),
    );
  const imports = (name) => new RegExp(String.raw`\b(?:from|import)\b[\s(]*'${name}['/]`, 'u');

  it.each([
    '@nestjs/core',
    '@nestjs/axios',
    'class-validator',
    'class-transformer',
    'electron',
    'electron-vite',
    'react',
  ])('%s is declared, and imported by the product', (name) => {
    const users = files.filter(({ text }) => imports(name).test(text));
    expect(users.map(({ own }) => name in declaredBy(own))).toContain(true);
  });

  it.each(['nx', 'jest'])('%s is declared by the workspace, and runs its tasks', (name) => {
    const { devDependencies, scripts } = packageJson(root);
    expect(devDependencies).toHaveProperty(name);
    const setUp = readFileSync(join(root, 'tools/setup/install.mjs'), 'utf8');
    expect(`${Object.values(scripts).join('\n')}\n${setUp}`).toContain(`node_modules/${name}/`);
  });

  it('sends all HTTP of the service through the HttpService', () => {
    const other = /\bfetch\(|\baxios\.|'axios'|NodeTransport|\b(?:get|request)\b.*'node:https?'/u;
    const senders = files.filter(
      ({ file, text }) => file.includes('/apps/service/src/') && other.test(text),
    );
    expect(senders.map(({ file }) => relative(root, file))).toEqual([
      'apps/service/src/http/outgoing/outgoing-http.ts',
    ]);
  });
});
