import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian packages of the libraries that Electron loads. They depend on the others that it needs. */
const packages = ['libasound2', 'libgbm1', 'libgtk-3-0', 'libnss3', 'libsecret-1-0', 'libx11-xcb1'];
/** Packages whose names end with t64 from Debian 13 and Ubuntu 24.04 on. */
const renamed = ['libasound2', 'libgtk-3-0'];

/** Returns the dependencies in the form of a Debian package. */
export function debianDependencies() {
  return packages
    .map((name) => (renamed.includes(name) ? `${name}t64 | ${name}` : name))
    .join(', ');
}

/** Returns the packages that this Electron still needs. Tests also need Xvfb if there is no display. */
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

/** Installs packages with apt-get, as root. @throws Error if it fails */
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
