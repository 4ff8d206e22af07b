import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Reads the page's style and texts as files, which only this room can. */
const file = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../renderer', path), 'utf8');
const flags = Object.keys(JSON.parse(file('text/en.json')) as object).flatMap(
  (key) => /^flag\.letter\.(\w+)$/u.exec(key)?.[1] ?? [],
);
const pictures = new Map(
  [
    ...file('screens/labs/results/flag.module.css').matchAll(
      /\.flag\[data-flag='(\w+)'\]::before \{\s+clip-path: path\(\s*'([^']+)'\s*\);/gu,
    ),
  ].map(([, flag, path]) => [flag, path]),
);

describe('the pictures of flags', () => {
  it('are there for every flag that has a letter, and for nothing else', () => {
    expect(flags.length).toBeGreaterThanOrEqual(8);
    expect([...pictures.keys()].toSorted()).toEqual(flags.toSorted());
  });

  it('are told apart by their shapes', () => {
    expect(new Set(pictures.values()).size).toBe(flags.length);
  });
});
