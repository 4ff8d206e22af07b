import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packedOnce } from './packed-once.ts';
import { startRegistry } from './registry.ts';
import type { Manifest } from './registry.ts';

const run = promisify(execFile);
const longTier = fileURLToPath(new URL('./long/', import.meta.url));

const LIBRARIES = ['@caregate/domain', '@caregate/api-client'];

export interface Installer {
  /**
   * A project that was empty before `npm install` of both libraries by their names and of these packages, at the versions
   * of this workspace, with all that they need.
   */
  project(...packages: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Publishes the packed libraries to a registry of this machine, and installs them from there in empty projects, both with
 * npm itself, from an empty cache: what else is asked for, the registry has from this workspace's node_modules.
 */
export async function installer(): Promise<Installer> {
  const libraries = await packedOnce();
  const folder = await mkdtemp(join(tmpdir(), 'caregate-installed-'));
  const registry = await startRegistry();
  const npmrc = join(folder, '.npmrc');
  await writeFile(npmrc, registry.npmrc);
  // Said by name: npm reads another folder's .npmrc where one above has a package.json, and then publishes to the world.
  const here = ['--registry', registry.url, '--userconfig', npmrc];
  for (const tarball of Object.values(libraries.tarballs)) {
    // Provenance is signed where a release is built, and nowhere else.
    await run('npm', ['publish', '--no-provenance', ...here, tarball], { cwd: folder });
  }
  const offered = new Set<string>();
  /** Has the registry offer a package with all that it needs; resolves with the name and version to install. */
  const offer = async (name: string, from: string): Promise<string> => {
    const place = await folderOf(name, from);
    const manifest = await manifestOf(place);
    if (!offered.has(place)) {
      offered.add(place);
      registry.offer(place, manifest);
      for (const each of Object.keys(manifest.dependencies ?? {})) await offer(each, place);
    }
    return `${name}@${manifest.version}`;
  };
  let projects = 0;
  return {
    project: async (...packages) => {
      const project = join(folder, `project-${(projects += 1)}`);
      await mkdir(project);
      const others: string[] = [];
      for (const name of packages) others.push(await offer(name, longTier));
      await writeFile(join(project, 'package.json'), '{ "private": true }');
      const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
      const cache = ['--cache', join(folder, `empty-cache-${projects}`)];
      const all = [...LIBRARIES, ...others];
      await writeFile(join(project, '.npmrc'), registry.npmrc);
      await run('npm', ['install', ...quiet, ...cache, ...all], { cwd: project });
      return project;
    },
    remove: async () => {
      await registry.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder that a package finds another one in, whatever it exports. */
async function folderOf(name: string, from: string): Promise<string> {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  for (const place of places) {
    const folder = join(place, name);
    if (await manifestOf(folder).then(Boolean, () => false)) {
      return folder;
    }
  }
  throw new Error(`${name} is not installed for ${dirname(from)}`);
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}
