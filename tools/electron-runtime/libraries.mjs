import { spawnSync } from 'node:child_process';

/** Debian packages of the libraries that Electron loads, by their names before and since Debian 13 and Ubuntu 24.04. */
export const libraries =
  'libasound2t64 | libasound2, libgbm1, libgtk-3-0t64 | libgtk-3-0, libnss3, libsecret-1-0, libx11-xcb1';

/** Installs the libraries that this Electron lacks, if this is root. @throws Error if some are missing */
export function provideLibraries(executable) {
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  if (!stdout?.includes('=> not found')) return;
  if (process.getuid() !== 0) {
    throw new Error(`Electron needs packages that are missing:\n  ${formatCommand(libraries)}`);
  }
  installPackages(libraries);
}

export function hasDisplay() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** @param packages in the form of a Debian package's dependencies */
export function formatCommand(packages) {
  return `apt-get satisfy -y --no-install-recommends '${packages}'`;
}

/** Installs packages as root. @throws Error if it fails */
export function installPackages(packages) {
  console.error(formatCommand(packages));
  const script = `apt-get update > /dev/null && ${formatCommand(packages)} > /dev/null`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('sh', ['-c', script], { stdio: 'inherit', env });
  if (status !== 0) throw new Error(`apt-get ended with code ${status}.`);
}
