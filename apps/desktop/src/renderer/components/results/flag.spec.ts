import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { FLAGS } from './result-reading.ts';
import type { FlagName } from './result-reading.ts';
import ar from '../../text/ar.json' with { type: 'json' };
import en from '../../text/en.json' with { type: 'json' };
import es from '../../text/es.json' with { type: 'json' };
import { Flag } from './flag.tsx';
import { markupOf, textOf } from '../render.testing.ts';

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
  const texts = catalogues[language];

  it.each(FLAGS.filter((flag) => flag !== 'critical'))('%s is a word', (flag) => {
    expect(read(flag, language)).toBe(texts[`flag.${flag}`]);
  });

  it('critical is the word of the laboratory, and heard as such', () => {
    const shown = read('critical', language).replaceAll(' ', '');
    const word = texts['flag.critical'] + texts['flag.criticalSays'];
    expect(shown).toBe(word.replaceAll(' ', ''));
  });

  it('are told apart by their words, and on paper by their letters', () => {
    expect(new Set(FLAGS.map((flag) => texts[`flag.${flag}`])).size).toBe(FLAGS.length);
    expect(new Set(FLAGS.map((flag) => texts[`flag.letter.${flag}`])).size).toBe(FLAGS.length);
  });

  it('an unrecognised word stands in quotation marks as it came, and is heard as unrecognised', () => {
    const unknown = { ...reading('unrecognised'), unrecognised: ['panic_high'] };
    const shown = textOf(markupOf(createElement(Flag, { reading: unknown }), language));
    expect(shown).toContain(texts['flag.unrecognised']);
    expect(shown).toContain('panic_high');
  });
});
