import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolders } from '../setup/projects.mjs';

export const root = join(import.meta.dirname, '../..');

/** `@a/b` of `@a/b/c`. */
export function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Every package of the workspace: its folder and its package.json, the root's first. */
export function packagesOfWorkspace() {
  const folders = projectFolders(root).map((folder) => join(root, folder));
  return [root, ...folders].map((folder) => ({ folder, own: packageJson(folder) }));
}

export function packageJson(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
