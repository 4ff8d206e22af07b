import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Licences } from '../../bridge/app-state.ts';

/** The licences that the build wrote beside each bundle, each package once. */
export function readLicences(folders: readonly string[], executable: string): Licences {
  const found = new Map<string, Licences['packages'][number]>();
  for (const folder of folders) {
    const file = join(folder, 'licences.json');
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as Licences['packages']) {
      found.set(`${one.name}@${one.version}`, one);
    }
  }
  const chromiumFile = join(dirname(executable), 'LICENSES.chromium.html');
  return {
    packages: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...(existsSync(chromiumFile) && { chromiumFile }),
  };
}
