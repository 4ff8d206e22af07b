import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolders } from '../setup/install.mjs';

export const root = join(import.meta.dirname, '../..');

/** `@a/b` of `@a/b/c`. */
export function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function packagesOfWorkspace() {
  const folders = projectFolders().map((folder) => join(root, folder));
  return [root, ...folders].map((folder) => ({ folder, own: packageJson(folder) }));
}

export function packageJson(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** The nearest folder above a file that has `name` in it; the root where none has. */
export function nearestWith(name, file) {
  let folder = dirname(file);
  while (folder !== root && folder !== dirname(folder) && !existsSync(join(folder, name))) {
    folder = dirname(folder);
  }
  return folder;
}
