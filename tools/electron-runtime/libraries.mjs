import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's packages of what Electron links to and opens later; they depend on the other libraries that it needs. */
const packages = ['libasound2', 'libgbm1', 'libgtk-3-0', 'libnss3', 'libsecret-1-0', 'libx11-xcb1'];
/** From Debian 13 and Ubuntu 24.04 on they are called t64. */
const renamed = ['libasound2', 'libgtk-3-0'];

/** As a Debian package states them. */
export function debianDependencies() {
  return packages
    .map((name) => (renamed.includes(name) ? `${name}t64 | ${name}` : name))
    .join(', ');
}

/** The packages to install before this Electron runs; tests need Xvfb where there is no display. */
export function missingPackages(executable, isForTests) {
  if (process.platform !== 'linux') return [];
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  const libraries = stdout?.includes('=> not found') ? packages.map(nameHere) : [];
  return isForTests && displayState() === 'none' ? [...libraries, 'xvfb'] : libraries;
}

function nameHere(name) {
  if (!renamed.includes(name)) return name;
  const isKnown = spawnSync('apt-cache', ['show', `${name}t64`], { stdio: 'ignore' }).status === 0;
  return isKnown ? `${name}t64` : name;
}

export function displayState() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) {
    return 'display';
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, 'Xvfb'))) ? 'xvfb' : 'none';
}

export function installLine(names) {
  return `apt-get install -y --no-install-recommends ${names.join(' ')}`;
}

/** Installs the packages by apt-get. Only root can; throws when it fails. */
export function installPackages(names) {
  console.error(installLine(names));
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', ...names]]) {
    const { status } = spawnSync('apt-get', words, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) throw new Error(`apt-get ${words[0]} ended with code ${status}`);
  }
}
