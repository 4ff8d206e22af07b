import { nameWords } from './same-name.ts';

interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a name into graphemes and marks word prefixes that match a typed word, ignoring case and accents. */
export function markedParts(name: string, typed: string): readonly Part[] {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const folded = letters.map(fold);
  const marks = letters.map(() => false);
  for (const word of wordsOf(typed)) {
    for (const start of folded.keys()) {
      const end = endOf(folded, start, word);
      const isWordStart = start === 0 || (folded[start - 1] ?? '') === '';
      if (end !== undefined && isWordStart) marks.fill(true, start, end);
    }
  }
  const parts: Part[] = [];
  for (const [place, text] of letters.entries()) {
    const isMatch = marks[place] === true;
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) parts[parts.length - 1] = { isMatch, text: last.text + text };
    else parts.push({ isMatch, text });
  }
  return parts;
}

function endOf(folded: readonly string[], start: number, word: string): number | undefined {
  let spelt = '';
  for (let place = start; place < folded.length; place += 1) {
    const letter = folded[place] ?? '';
    if (letter === '') return undefined;
    spelt += letter;
    if (spelt.startsWith(word)) return place + 1;
    if (!word.startsWith(spelt)) return undefined;
  }
  return undefined;
}

function fold(letter: string): string {
  return nameWords(letter).join('').replace(/\p{M}/gu, '');
}

function wordsOf(typed: string): readonly string[] {
  return typed
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(fold)
    .filter((word) => word !== '');
}
