import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.ts';

/** Sets the version in all files. @param specifier a version, or `patch`, `minor` or `major` */
export function setVersion(specifier = 'patch', workspace = root): string {
  const change = (name: string, edit: (text: string) => string): void => {
    const file = join(workspace, name);
    const text = readFileSync(file, 'utf8');
    const edited = edit(text);
    if (edited === text) throw new Error(`${name} has no place for the version.`);
    writeFileSync(file, edited);
  };
  const lock = JSON.parse(readFileSync(join(workspace, 'package-lock.json'), 'utf8')) as {
    version: string;
    packages: object;
  };
  const version = computeNextVersion(lock.version, specifier);
  const own = Object.keys(lock.packages).filter((key) => !key.includes('node_modules/'));
  for (const file of ['package-lock.json', ...own.map((folder) => join(folder, 'package.json'))]) {
    change(file, (text) =>
      text
        .replaceAll(/(?<="name": "(?:@caregate\/[\w-]+|caregate)",\s+"version": ")[^"]+/gu, version)
        .replaceAll(/(?<="@caregate\/[\w-]+": ")\d[^"]*/gu, version),
    );
  }
  change('libs/api-client/src/transport/user-agent.ts', (text) =>
    text.replace(/(?<=VERSION = ')[^']+/u, version),
  );
  const today = new Date().toISOString().slice(0, 10);
  change('CHANGELOG.md', (text) =>
    text.replace(/^## Unreleased$/mu, `## Unreleased\n\n## ${version} (${today})`),
  );
  return version;
}

function computeNextVersion(current: string, specifier: string): string {
  if (/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(specifier)) return specifier;
  const at = ['major', 'minor', 'patch'].indexOf(specifier);
  if (at === -1) throw new Error(`"${specifier}" is neither a version nor patch, minor or major.`);
  const next = current.split('.', 3).map((part, index) => (index > at ? 0 : Number.parseInt(part)));
  next[at] = (next[at] ?? 0) + 1;
  return next.join('.');
}
