import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the workspace. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The package.json of a folder relative to the workspace. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Modification time of release files in Unix seconds, for reproducible builds. */
export function releaseTime(): number {
  // https://reproducible-builds.org/docs/source-date-epoch/
  const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Number.NaN);
  return Number.isSafeInteger(epoch) ? epoch : 1_767_225_600;
}

export function pinnedElectron(): string {
  return manifestOf('apps/desktop').devDependencies?.['electron'] ?? '';
}
