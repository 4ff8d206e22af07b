import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packed } from './packed.ts';

const run = promisify(execFile);
const longTier = fileURLToPath(new URL('../../../tools/setup/long/node_modules', import.meta.url));

export interface Installer {
  /** The packed libraries. */
  readonly tarballs: readonly string[];
  /**
   * Creates an empty project and installs both libraries and these packages, with their dependencies, at the versions
   * of this workspace.
   */
  project(...packages: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Installs the packed libraries in empty projects without network access. Other packages come from this workspace's
 * node_modules.
 */
export async function installer(): Promise<Installer> {
  const folder = await mkdtemp(join(tmpdir(), 'caregate-installed-'));
  const tarballs = Object.values((await packed(join(folder, 'packed'))).tarballs);
  let projects = 0;
  return {
    tarballs,
    project: async (...packages) => {
      const project = join(folder, `project-${(projects += 1)}`);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{ "private": true }');
      const others = new Set<string>();
      for (const name of packages) await addWithNeeds(name, import.meta.dirname, others);
      const flags = ['--offline', '--install-links', '--no-audit', '--no-fund', '--ignore-scripts'];
      const cache = ['--cache', join(folder, `empty-cache-${projects}`)];
      const all = [...tarballs, ...others];
      await run('npm', ['install', ...flags, ...cache, ...all], { cwd: project });
      return project;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Links packages of this workspace, or of the long tests, into a project. */
export async function link(project: string, ...packages: readonly string[]): Promise<void> {
  for (const name of packages) {
    const place = join(project, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(await findFolder(name, import.meta.dirname), place);
  }
}

/** Collects the folders of a package and of all its dependencies, as they resolve from `from`. */
async function addWithNeeds(name: string, from: string, folders: Set<string>): Promise<void> {
  const place = await findFolder(name, from);
  if (folders.has(place)) return;
  folders.add(place);
  const { dependencies = {} } = await readManifest(place);
  for (const each of Object.keys(dependencies)) await addWithNeeds(each, place, folders);
}

/**
 * Returns the folder to which a package's import of another package resolves, whatever that exports. Falls back to
 * the packages of the long tests.
 */
async function findFolder(name: string, from: string): Promise<string> {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  for (const place of [...places, longTier]) {
    const folder = join(place, name);
    if (await readManifest(folder).then(Boolean, () => false)) {
      return folder;
    }
  }
  throw new Error(`${name} is not installed for ${dirname(from)}`);
}

async function readManifest(
  folder: string,
): Promise<{ readonly dependencies?: Readonly<Record<string, string>> }> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;
}
