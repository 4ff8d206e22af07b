import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packedOnce } from './packed-once.ts';
import { startRegistry } from './registry.ts';

const run = promisify(execFile);
const api = fileURLToPath(new URL('../', import.meta.url));

const LIBRARIES = ['@caregate/domain', '@caregate/api-client'];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

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
 * npm itself, from an empty cache: what else is asked for is packed from this workspace's node_modules.
 */
export async function installer(): Promise<Installer> {
  const libraries = await packedOnce();
  const folder = await mkdtemp(join(tmpdir(), 'caregate-installed-'));
  const registry = await startRegistry();
  await writeFile(join(folder, '.npmrc'), registry.npmrc);
  for (const tarball of Object.values(libraries.tarballs)) {
    // Provenance is signed where a release is built, and nowhere else.
    await run('npm', ['publish', '--no-provenance', tarball], { cwd: folder });
  }
  let projects = 0;
  return {
    project: async (...packages) => {
      const project = join(folder, `project-${(projects += 1)}`);
      const tarballs = join(folder, `tarballs-${projects}`);
      await mkdir(project);
      await mkdir(tarballs);
      const others: string[] = [];
      const overrides: Record<string, Record<string, string>> = {};
      for (const { name, folder: from, by } of await neededBy(packages)) {
        const file = await tarball(from, tarballs);
        // npm takes one version of a package from the command line; another one that something needs is told apart.
        if (by === undefined) others.push(file);
        else overrides[by] = { ...overrides[by], [name]: `file:${file}` };
      }
      await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, overrides }));
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

/** As npm would have fetched it, not compressed; npm takes the one folder in it for the package, whatever its name. */
async function tarball(from: string, into: string): Promise<string> {
  const file = join(into, `${from.replace(/\W+/g, '-')}.tar`);
  const within = ['-C', dirname(from), '--exclude', 'node_modules', basename(from)];
  await run('tar', ['-cf', file, ...within]);
  return file;
}

interface Needed {
  readonly name: string;
  readonly folder: string;
  /** The package that needs this very version, where others have another. */
  readonly by: string | undefined;
}

/** Packages with all that they need, without this workspace's own. */
async function neededBy(packages: readonly string[]): Promise<Needed[]> {
  const first = new Map<string, string>();
  const needed: Needed[] = [];
  const take = async (name: string, from: string, by: string): Promise<void> => {
    const folder = await folderOf(name, from);
    const other = first.get(name) ?? folder;
    if (first.has(name) && other === folder) return;
    first.set(name, other);
    needed.push({ name, folder, by: other === folder ? undefined : by });
    for (const each of Object.keys((await manifestOf(folder)).dependencies ?? {})) {
      await take(each, folder, name);
    }
  };
  for (const name of packages) await take(name, api, '');
  return needed;
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
