import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, root } from './workspace.ts';

export interface Bundled {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** From its package.json; usually an SPDX expression. */
  readonly license: string | undefined;
  /** From package-lock.json: `sha512-` and base64. */
  readonly integrity: string | undefined;
}

const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u;

export function listPackages(files: readonly string[], others: readonly string[]): Bundled[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly integrity?: string }>;
  };
  const bundled = files.flatMap((file) => packageFolder.exec(file)?.[0] ?? []);
  const found = [...new Set([...bundled, ...others])].sort().map((folder) => {
    const { name, version, license } = readManifest(folder);
    return { folder, name, version, license, integrity: packages[folder]?.integrity };
  });
  // npm may install a package in several folders.
  return [...new Map(found.map((each) => [`${each.name}@${each.version}`, each])).values()];
}
