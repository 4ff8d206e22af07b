import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, root } from './workspace.ts';

/** A package of somebody else's that goes with the service. */
export interface Bundled {
  /** From the top of the workspace. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** As its package.json says it, an SPDX expression as a rule. */
  readonly license: string | undefined;
  /** Of its tarball, as package-lock.json has it: `sha512-` and base 64. */
  readonly integrity: string | undefined;
}

const folderOf = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u;

/** The packages that these files (from the top of the workspace) are of, and those with these names, sorted. */
export function packagesOf(files: readonly string[], names: readonly string[]): Bundled[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly integrity?: string }>;
  };
  const bundled = files.flatMap((file) => folderOf.exec(file)?.[0] ?? []);
  const folders = new Set([...bundled, ...names.map((name) => `node_modules/${name}`)]);
  const found = [...folders].sort().map((folder) => {
    const { name, version, license } = manifestOf(folder);
    return { folder, name, version, license, integrity: packages[folder]?.integrity };
  });
  // npm may install the same one in several folders.
  return [...new Map(found.map((each) => [`${each.name}@${each.version}`, each])).values()];
}
