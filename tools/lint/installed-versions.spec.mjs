import { describe, expect, it } from '@jest/globals';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { packageJson, packagesOfWorkspace, root } from './packages.mjs';

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
