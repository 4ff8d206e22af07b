import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { FLAGS } from './result-reading.ts';
import type { FlagName } from './result-reading.ts';
import ar from '../../../i18n/ar.json' with { type: 'json' };
import en from '../../../i18n/en.json' with { type: 'json' };
import es from '../../../i18n/es.json' with { type: 'json' };
import { Flag } from './flag.tsx';
import { markupOf, textOf } from '../../../ui/render.testing.ts';

const catalogues = { en, es, ar };

describe.each(['en', 'es', 'ar'] as const)('flags in %s', (language) => {
  const texts = catalogues[language];
  /** What is left without pictures, colours and styles: what a screen reader reads, and what grey paper shows. */
  const read = (flag: FlagName, unrecognised: readonly string[] = []): string => {
    const reading = { flag, direction: undefined, conflicts: [], unrecognised };
    return textOf(markupOf(createElement(Flag, { reading }), language)).replaceAll(/\s+/gu, '');
  };

  it.each(FLAGS)('%s is a word; critical that of the laboratory, and heard as such', (flag) => {
    const said = texts[`flag.${flag}`] + (flag === 'critical' ? texts['flag.criticalSays'] : '');
    expect(read(flag)).toBe(said.replaceAll(/\s+/gu, ''));
  });

  it('are told apart by their words, and on paper by their letters', () => {
    expect(new Set(FLAGS.map((flag) => texts[`flag.${flag}`])).size).toBe(FLAGS.length);
    expect(new Set(FLAGS.map((flag) => texts[`flag.letter.${flag}`])).size).toBe(FLAGS.length);
  });

  it('an unrecognised word stands as it came, and is heard as unrecognised', () => {
    const shown = read('unrecognised', ['panic_high']);
    expect(shown).toContain(texts['flag.unrecognised'].replaceAll(/\s+/gu, ''));
    expect(shown).toContain('panic_high');
  });
});
