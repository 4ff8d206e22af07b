import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import ar from '../../../i18n/ar.json' with { type: 'json' };
import en from '../../../i18n/en.json' with { type: 'json' };
import es from '../../../i18n/es.json' with { type: 'json' };
import { renderMarkup, extractText } from '../../../ui/render.testing.ts';
import { Flag, LETTERED } from './flag.tsx';
import { FLAGS } from './result-reading.ts';
import type { FlagName } from './result-reading.ts';

const catalogues = { en, es, ar };
const flat = (text: string): string => text.replaceAll(/\s+/gu, '');

describe.each(['en', 'es', 'ar'] as const)('a flag in %s', (language) => {
  const texts = catalogues[language];
  /** The text that is left without images, colors and styles. */
  const read = (flag: FlagName, unrecognised: readonly string[] = []): string => {
    const reading = { flag, direction: undefined, conflicts: [], unrecognised };
    return flat(extractText(renderMarkup(createElement(Flag, { reading }), language)));
  };

  it.each(FLAGS)('is a word: %s', (flag) => {
    expect(read(flag)).toContain(flat(texts[`flag.${flag}`]));
  });

  it('has a word and a letter of its own', () => {
    expect(new Set(FLAGS.map((flag) => texts[`flag.${flag}`])).size).toBe(FLAGS.length);
    expect(new Set(LETTERED.map((flag) => texts[`flag.letter.${flag}`])).size).toBe(
      LETTERED.length,
    );
  });

  it('shows a word that is not recognized unchanged', () => {
    expect(read('unrecognised', ['panic_high'])).toContain('panic_high');
  });
});
