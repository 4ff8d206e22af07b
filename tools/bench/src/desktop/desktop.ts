import { chart } from './chart.ts';
import { buildDesktop, buildShell, provideElectron, type App } from './runtime.ts';
import { screens } from './screens.ts';
import { startAndIdle } from './start.ts';
import type { Section, Row } from '../measure.ts';
import { workFolder } from '../service.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

async function noDisplay(): Promise<string | undefined> {
  const tool = new URL('../../../electron-runtime/libraries.mjs', import.meta.url).href;
  const { displayState } = (await import(tool)) as { displayState: () => string };
  return displayState() === 'none' ? 'there is neither a display nor Xvfb' : undefined;
}

export const desktop: Section = {
  name: 'desktop',
  title: 'The desktop in a real Electron, beside a bare shell of Electron and React',
  leftOut: noDisplay,
  async run() {
    const { executable, version, end } = await provideElectron();
    const folder = workFolder();
    try {
      console.log(`Electron ${version}\n`);
      const shell = await buildShell(folder.path);
      const ours = buildDesktop(folder.path);
      return [
        ...(await startAndIdle(executable, ours, shell)),
        ...sizes(ours),
        ...(await screens(executable, ours)),
        ...(await chart(executable, ours)),
      ];
    } finally {
      end();
      folder.remove();
    }
  },
};

/** Goal 3, in KB of 1,000 bytes: what the page's document names for its first screen, gzipped, and main's one file. */
function sizes({ folder }: App): readonly Row[] {
  const dist = join(folder, 'dist');
  const html = readFileSync(join(dist, 'renderer/index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/gu)].map(([, file = '']) => file);
  const page = ['index.html', ...named]
    .map((file) => gzipSync(readFileSync(join(dist, 'renderer', file))).length / 1000)
    .reduce((sum, size) => sum + size, 0);
  const main = readFileSync(join(dist, 'main/main.js')).length / 1000;
  return [
    sized('first page with its scripts and styles, gzipped', page, 220),
    sized('main', main, 300),
  ];
}

function sized(what: string, measured: number, most: number): Row {
  return { what, unit: 'KB', measured, bound: `at most ${most} KB`, kept: measured <= most };
}
