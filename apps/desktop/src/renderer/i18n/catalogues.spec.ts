import { describe, expect, it } from '@jest/globals';
import { DESK_DOCUMENTS, DESK_EVENT_KINDS } from '@caregate/domain';
import { REASONS } from '../../shared/app-state.ts';
import { PROBLEM_KINDS } from '../../shared/problem.ts';
import ar from './ar.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

/** The placeholders of a text, such as `{name}` or `{name, plural, …}`. */
function placeholders(message: string): string[] {
  return [...message.matchAll(/\{\s*(\w+)\s*[,}]/gu)].map((match) => match[1]!).sort();
}

const en: Record<string, string> = english;
const others: Readonly<Record<string, Record<string, string>>> = { es, ar };

describe.each(['es', 'ar'])('the catalogue %s', (language) => {
  const other = others[language]!;

  it('has the keys of the English one, each with a text', () => {
    expect(Object.keys(other).sort()).toEqual(Object.keys(en).sort());
    expect(Object.values(other).filter((message) => message.trim() === '')).toEqual([]);
  });

  it('puts the same values into each text', () => {
    const values = (catalogue: Record<string, string>) =>
      Object.entries(catalogue).map(([key, text]) => [key, new Set(placeholders(text))]);
    expect(Object.fromEntries(values(other))).toEqual(Object.fromEntries(values(en)));
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

describe('the English catalogue, for auditors', () => {
  it.each([
    ...DESK_EVENT_KINDS.map((kind) => `audit.did.${kind}`),
    ...DESK_DOCUMENTS.map((document) => `audit.document.${document}`),
  ])('has a text for %s', (key) => {
    expect(en[key]).toMatch(/\S/u);
  });
});

describe('the Arabic catalogue', () => {
  it('keeps signs at the edge of a Latin word beside it: a line from right to left takes them to its other side', () => {
    const isolated = /\u2066[^\u2069]*\u2069/gu;
    const loose = /^[/_+@#*\\]+[A-Za-z]|[A-Za-z:][/_+@#*\\]+[.,:;،؛]*$/u;
    const words = Object.values(ar).flatMap((text) => text.replaceAll(isolated, '').split(/\s+/u));
    expect(words.filter((word) => loose.test(word))).toEqual([]);
  });
});
