import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Reads the page's style and texts as files, which only this room can. */
const file = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../renderer', path), 'utf8');
const flags = Object.keys(JSON.parse(file('text/en.json')) as object).flatMap(
  (key) => /^flag\.letter\.(\w+)$/u.exec(key)?.[1] ?? [],
);
/** They have a word and nothing else: only what needs eyes has a picture. */
const quiet = ['noRange', 'normal', 'notAssessed'];
const pictures = new Map(
  [
    ...file('components/results/flag.module.css').matchAll(
      /:is\(\.flag\[data-flag='(\w+)'\], \.count\[data-shape='\w+'\]\)::before \{\s+([^}]+)\}/gu,
    ),
  ].map(([, flag, drawing]) => [flag, drawing]),
);

describe('the pictures of flags', () => {
  it('are there for every flag that needs eyes and for what is missing, and for nothing else', () => {
    expect(flags.length).toBeGreaterThanOrEqual(8);
    const seen = [...flags.filter((flag) => !quiet.includes(flag)), 'missing'];
    expect([...pictures.keys()].toSorted()).toEqual(seen.toSorted());
  });

  it('are told apart by their shapes', () => {
    expect(new Set(pictures.values()).size).toBe(pictures.size);
  });
});
