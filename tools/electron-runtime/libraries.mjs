import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's package of each library that Electron links to; a Debian or Ubuntu with the 64-bit time change adds t64. */
const packages = {
  'libX11.so.6': 'libx11-6',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libXrandr.so.2': 'libxrandr2',
  'libasound.so.2': 'libasound2',
  'libatk-1.0.so.0': 'libatk1.0-0',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0',
  'libatspi.so.0': 'libatspi2.0-0',
  'libcairo.so.2': 'libcairo2',
  'libcups.so.2': 'libcups2',
  'libdbus-1.so.3': 'libdbus-1-3',
  'libdrm.so.2': 'libdrm2',
  'libexpat.so.1': 'libexpat1',
  'libgbm.so.1': 'libgbm1',
  'libgio-2.0.so.0': 'libglib2.0-0',
  'libglib-2.0.so.0': 'libglib2.0-0',
  'libgobject-2.0.so.0': 'libglib2.0-0',
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnspr4.so': 'libnspr4',
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libpango-1.0.so.0': 'libpango-1.0-0',
  'libsmime3.so': 'libnss3',
  'libudev.so.1': 'libudev1',
  'libxcb.so.1': 'libxcb1',
  'libxkbcommon.so.0': 'libxkbcommon0',
};
/** Opened while it runs, so that no linker names them: the window's (it ends without), and the key store's. */
const openedLater = ['libx11-xcb1', 'libsecret-1-0'];
const renamedWithTime64 = new Set([
  'libasound2',
  'libatk1.0-0',
  'libatk-bridge2.0-0',
  'libatspi2.0-0',
  'libcups2',
  'libglib2.0-0',
  'libgtk-3-0',
]);

export function debianDependencies() {
  const names = [...new Set([...Object.values(packages), ...openedLater])].sort();
  return names.map((name) => (renamedWithTime64.has(name) ? `${name}t64 | ${name}` : name));
}

export function missingLibraries(executable) {
  if (process.platform !== 'linux') return [];
  const linked = spawnSync('ldd', [executable], { encoding: 'utf8' });
  return [...(linked.stdout ?? '').matchAll(/^[ \t]*(\S+) => not found$/gm)].map(
    (match) => match[1],
  );
}

export function displayState() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) {
    return 'display';
  }
  return onPath('Xvfb') ? 'xvfb' : 'none';
}

export function packagesFor(libraries, { xvfb }) {
  const names = new Set(libraries.map((library) => packages[library] ?? library));
  if (xvfb && !onPath('Xvfb')) names.add('xvfb');
  return [...names].sort().map(nameHere);
}

export function installLine(names) {
  return `apt-get install -y --no-install-recommends ${names.join(' ')}`;
}

/** Installs the packages by apt-get. Only root can; throws when it fails. */
export function installPackages(names) {
  console.error(installLine(names));
  apt(['update']);
  apt(['install', '-y', '--no-install-recommends', ...names.map(nameHere)]);
}

function apt(arguments_) {
  const done = spawnSync('apt-get', arguments_, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (done.status !== 0) throw new Error(`apt-get ${arguments_[0]} ended with code ${done.status}`);
}

function nameHere(name) {
  if (!renamedWithTime64.has(name) || !onPath('apt-cache')) return name;
  const known = spawnSync('apt-cache', ['show', `${name}t64`], { stdio: 'ignore' });
  return known.status === 0 ? `${name}t64` : name;
}

function onPath(program) {
  return (process.env.PATH ?? '')
    .split(':')
    .some((folder) => folder !== '' && existsSync(`${folder}/${program}`));
}
