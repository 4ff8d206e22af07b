import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Returns `0.1.0` for the commit with the tag `v0.1.0`, or without Git, and `0.1.0+g<commit>` otherwise. */
export function getBuiltVersion(folder: string = root): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const runGit = (...arguments_: string[]): string =>
    spawnSync('git', arguments_, { cwd: folder, encoding: 'utf8' }).stdout.trim();
  const commit = runGit('rev-parse', '--short=8', 'HEAD');
  const isRelease = runGit('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`);
  return commit === '' || isRelease ? version : `${version}+g${commit}`;
}

/** Modification time of release files in Unix seconds, for reproducible builds. */
export function getReleaseTime(): number {
  // https://reproducible-builds.org/docs/source-date-epoch/
  const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Number.NaN);
  return Number.isSafeInteger(epoch) ? epoch : 1_767_225_600;
}

export function getPinnedElectron(): string {
  return readManifest('apps/desktop').devDependencies?.['electron'] ?? '';
}
