/** Millimetres in a point. */
export const millimetresPerPoint = 25.4 / 72;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At most what one character with its marks is wide, in sizes of its font. */
function widthOfGrapheme(one: string): number {
  const base = one.normalize('NFC');
  return /^[\0-\xff]$/u.test(base) ? widthInOurFont(base) : widthElsewhere(base);
}

/** Inter SemiBold, which a label brings with it: ISO 8859-1. */
function widthInOurFont(one: string): number {
  if (/[\siIjl.,:;'|!]/u.test(one)) return 0.4;
  if (/[MW@%mwÆæ]/u.test(one)) return 1.06;
  return /[\p{Lu}&+=<>~#]/u.test(one) ? 0.82 : 0.68;
}

/** By the widest of the fonts that a system may have. */
function widthElsewhere(base: string): number {
  if (/^\p{Extended_Pictographic}/u.test(base)) return 1.4;
  if (/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(base)) {
    return 1.05;
  }
  if (/^[MWŒmwœ]/u.test(base)) return 1.15;
  if (/^\p{Lu}/u.test(base)) return 0.95;
  // Scripts whose letters join or stand wide: of their fonts less is known.
  return /^[^\0-\u024f]/u.test(base) ? 0.95 : 0.75;
}

/** At most what a text is wide, in sizes of its font. */
export function widthInEms(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** At most how many lines a text takes across so many sizes of its font: broken at spaces, and inside a word that is longer. */
export function linesOf(text: string, across: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(/(?<=[\s-])/u)) {
    const width = widthInEms(word);
    if (used > 0 && used + width > across) {
      lines += 1;
      used = 0;
    }
    // A character that doesn't fit leaves the end of its line empty.
    const usable = Math.max(across - 1.4, 1.4);
    if (width > across) {
      const more = Math.ceil(width / usable);
      lines += more - 1;
      used = width - (more - 1) * usable;
    } else used += width;
  }
  return lines;
}
