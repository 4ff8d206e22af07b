import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { FLAGS } from './result-reading.ts';
import type { FlagName } from './result-reading.ts';
import ar from '../../../text/ar.json' with { type: 'json' };
import en from '../../../text/en.json' with { type: 'json' };
import es from '../../../text/es.json' with { type: 'json' };
import { Flag } from './flag.tsx';
import { markupOf, textOf } from '../../../components/render.testing.ts';

const catalogues = { en, es, ar };
const reading = (flag: FlagName) => ({
  flag,
  direction: undefined,
  conflicts: [],
  unrecognised: [],
  reportedNormal: false,
});

/** What is left without pictures, colours and styles: what a screen reader reads, and what grey paper shows. */
const read = (flag: FlagName, language: keyof typeof catalogues): string =>
  textOf(markupOf(createElement(Flag, { reading: reading(flag) }), language))
    .replaceAll(/\s+/gu, ' ')
    .trim();

describe.each(['en', 'es', 'ar'] as const)('flags in %s', (language) => {
  it.each([...FLAGS])('%s is a word and a letter', (flag) => {
    const texts = catalogues[language];
    expect(read(flag, language)).toBe(`${texts[`flag.${flag}`]} ${texts[`flag.letter.${flag}`]}`);
  });

  it('are told apart by their words, and by their letters', () => {
    const texts = catalogues[language];
    expect(new Set(FLAGS.map((flag) => texts[`flag.${flag}`])).size).toBe(FLAGS.length);
    expect(new Set(FLAGS.map((flag) => texts[`flag.letter.${flag}`])).size).toBe(FLAGS.length);
  });
});
