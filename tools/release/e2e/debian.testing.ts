import { expect } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';

export const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
/** Whether packages can be installed in a new Debian: needs root and mmdebstrap. */
export const canInstall = process.getuid?.() === 0 && has('mmdebstrap');

export const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** Lists the contents of a package. Requires that every file belongs to root and only root may write it. */
export function contentsOf(deb: string): string[] {
  const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' }).split('\n');
  const lines = listed.filter((line) => line !== '' && !line.startsWith('l'));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !/^.{5}[^w]..[^w]. root\/root /u.test(line))).toEqual([]);
  return lines;
}

/** Returns the dependencies of a package by their names in Debian 12. */
export function dependenciesOf(deb: string): string {
  const depends = execFileSync('dpkg-deb', ['--field', deb, 'Depends'], { encoding: 'utf8' });
  return depends
    .split(',')
    .map((each) => each.split('|').at(-1)!.trim())
    .join(',');
}

/** Creates a new Debian in a folder. Returns a function that runs a command in it. */
export function debian(rootFs: string, packages: string): (...command: string[]) => string {
  mkdirSync(rootFs);
  execFileSync('mmdebstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', rootFs], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };
  return (...command) => execFileSync('chroot', [rootFs, ...command], { encoding: 'utf8', env });
}
