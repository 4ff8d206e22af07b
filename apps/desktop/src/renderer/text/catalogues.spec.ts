import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { REASONS } from '../../bridge/app-state.ts';
import { PROBLEM_KINDS } from '../../bridge/problem.ts';

function catalogue(language: string): Record<string, string> {
  const file = new URL(`./${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** What is put into a text: `{name}` and `{name, plural, …}`. */
function placeholders(message: string): string[] {
  return [...message.matchAll(/\{\s*(\w+)\s*[,}]/gu)].map((match) => match[1]!).sort();
}

const en = catalogue('en');

describe.each(['es', 'ar'])('the catalogue %s', (language) => {
  const other = catalogue(language);

  it('has the keys of the English one, each with a text', () => {
    expect(Object.keys(other).sort()).toEqual(Object.keys(en).sort());
    expect(Object.values(other).filter((message) => message.trim() === '')).toEqual([]);
  });

  it.each(Object.keys(en))('puts the same values into %s', (key) => {
    expect(new Set(placeholders(other[key]!))).toEqual(new Set(placeholders(en[key]!)));
  });
});

describe('the English catalogue', () => {
  it.each([...PROBLEM_KINDS])('has a sentence for the problem %s', (kind) => {
    expect(en[`problem.${kind}`]).toMatch(/\.$/u);
  });

  it.each([...REASONS])('has a sentence for the reason %s', (reason) => {
    expect(en[`reason.${reason}`]).toMatch(/\.$/u);
  });
});
