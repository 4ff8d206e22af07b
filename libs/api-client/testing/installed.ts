import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packed } from './packed.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Installed {
  /** A project that was empty before `npm install` of the tarballs. */
  readonly project: string;
  remove(): Promise<void>;
}

/**
 * Installs the packed libraries in an empty project with npm itself, without a network and from an empty cache: what
 * they depend on is packed from this workspace's node_modules and installed beside them, at the versions there.
 */
export async function installed(): Promise<Installed> {
  const libraries = await packed();
  const folder = await mkdtemp(join(tmpdir(), 'caregate-installed-'));
  const remove = async (): Promise<void> => {
    await libraries.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const project = join(folder, 'project');
    const tarballs = join(folder, 'tarballs');
    await mkdir(project);
    await mkdir(tarballs);
    const ours = Object.values(libraries.tarballs);
    const needed = await neededBy([join(root, 'libs/domain'), join(root, 'libs/api-client')]);
    for (const from of needed) {
      // From a copy: npm would look at the workspace around it.
      const copy = join(folder, 'copy');
      await cp(from, copy, { recursive: true, dereference: true });
      const flags = ['--ignore-scripts', '--silent', '--pack-destination', tarballs];
      await run('npm', ['pack', ...flags], { cwd: copy });
      await rm(copy, { recursive: true });
    }
    const others = (await readdir(tarballs)).map((name) => join(tarballs, name));
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
    const alone = ['--offline', '--cache', join(folder, 'empty-cache')];
    await run('npm', ['install', ...quiet, ...alone, ...ours, ...others], { cwd: project });
    return { project, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Folders of all that packages need, and of the types of Node, without this workspace's own. */
async function neededBy(packages: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  const take = async (name: string, from: string): Promise<void> => {
    if (name.startsWith('@caregate/') || found.has(name)) {
      return;
    }
    const folder = await folderOf(name, from);
    found.set(name, folder);
    await takeAllOf(folder);
  };
  const takeAllOf = async (folder: string): Promise<void> => {
    for (const name of Object.keys((await manifestOf(folder)).dependencies ?? {})) {
      await take(name, folder);
    }
  };
  for (const folder of packages) {
    await takeAllOf(folder);
  }
  await take('@types/node', root);
  return [...found.values()];
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
