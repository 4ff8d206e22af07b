import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { About, Licences } from '../../bridge/app-state.ts';

/** From package.json, at build time. */
declare const __PINNED_ELECTRON__: string;

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

/** Read from the files that the build wrote beside each bundle. */
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
