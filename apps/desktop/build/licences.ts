import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Plugin } from 'vite';

interface PackageLicence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

/** Writes `licences.json` beside a bundle, with the packages in the bundle and the texts of their licenses. */
export function createLicencesPlugin(extraFolders: readonly string[] = []): Plugin {
  return {
    name: 'caregate:licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? part.moduleIds : [],
      );
      const folders = new Set([...modules.flatMap(findPackageFolder), ...extraFolders]);
      const found = new Map<string, PackageLicence>();
      for (const folder of folders) {
        const one = readLicence(folder);
        found.set(`${one.name}@${one.version}`, one);
      }
      const sorted = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      this.emitFile({ type: 'asset', fileName: 'licences.json', source: JSON.stringify(sorted) });
    },
  };
}

function findPackageFolder(id: string): string[] {
  const path = id.replace(/^\0/u, '').replace(/\?.*/u, '').split('/').join(sep);
  const marker = `${sep}node_modules${sep}`;
  const at = path.lastIndexOf(marker);
  if (at < 0) return [];
  const [first = '', second = ''] = path.slice(at + marker.length).split(sep);
  const name = first.startsWith('@') ? join(first, second) : first;
  return [join(path.slice(0, at), 'node_modules', name)];
}

/** @throws Error if a package names no license, since it must not be shipped before that is known */
function readLicence(folder: string): PackageLicence {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license, author } = manifest;
  if (name === undefined || version === undefined || license === undefined) {
    throw new Error(`${folder}: package.json lacks its name, version or license`);
  }
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/iu.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const authorName = typeof author === 'object' ? author.name : author;
  const summary = `${name} ${version}: ${license}${authorName === undefined ? '' : `, by ${authorName}`}`;
  return { name, version, licence: license, text: texts.join('\n\n') || summary };
}

export function findInstalledPackage(name: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed`);
  }
}
