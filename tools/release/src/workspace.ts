import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the workspace. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What a release asks of a package.json. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A package.json by its folder, from the top of the workspace. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Seconds since 1970 that files of a release bear: the same for each build of one state. */
export function releaseTime(): number {
  // Of reproducible-builds.org; without it any fixed time does.
  const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Number.NaN);
  return Number.isSafeInteger(epoch) ? epoch : 1_767_225_600;
}

/** The Electron that releases of the desktop come with. */
export function pinnedElectron(): string {
  return manifestOf('apps/desktop').devDependencies?.['electron'] ?? '';
}
