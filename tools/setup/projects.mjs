import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the workspace's packages, from the top: what `workspaces` of its package.json (each `folder/*`) names. */
export function projectFolders(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces
    .map((pattern) => pattern.replace(/\/\*$/u, ''))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}
