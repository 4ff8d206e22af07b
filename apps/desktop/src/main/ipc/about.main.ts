import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { About, Licences } from '../../bridge/app-state.ts';

/** Defined by the build: the version in package.json. */
declare const __PINNED_ELECTRON__: string;

/** The versions of what runs here. */
export function about(): About {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
    pinned: __PINNED_ELECTRON__,
    systemLocale: app.getPreferredSystemLanguages()[0] ?? '',
  };
}

/** The licences that the build wrote beside each bundle, each package once. */
export function licences(): Licences {
  const found = new Map<string, Licences['packages'][number]>();
  for (const bundle of ['main', 'preload', 'renderer']) {
    const file = join(import.meta.dirname, '..', bundle, 'licences.json');
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as Licences['packages']) {
      found.set(`${one.name}@${one.version}`, one);
    }
  }
  const chromiumFile = join(dirname(process.execPath), 'LICENSES.chromium.html');
  return {
    packages: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...(existsSync(chromiumFile) && { chromiumFile }),
  };
}
