import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { App } from './desktop-runtime.ts';
import type { Row } from './measure.ts';

/** Goal 3, in KB of 1,000 bytes: what the page's document names for its first screen, gzipped, and main's one file. */
export function sizes({ folder }: App): readonly Row[] {
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
