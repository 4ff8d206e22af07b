export const millimetresPerPoint = 25.4 / 72;

/** Arabic letters reach higher and lower than Latin ones: in the lines of those they touch. */
const arabicLineHeight = 1.6;

/** In em; `usual` is for Latin letters. */
export function lineHeightOf(text: string, usual: number, arabic = arabicLineHeight): number {
  return /\p{Script=Arabic}/u.test(text) ? Math.max(usual, arabic) : usual;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function widthOfGrapheme(one: string): number {
  const base = one.normalize('NFC');
  return /^[\0-\xff]$/u.test(base) ? widthInOurFont(base) : widthElsewhere(base);
}

/** Inter SemiBold, embedded in labels: ISO 8859-1. */
function widthInOurFont(one: string): number {
  if (/[\siIjl.,:;'|!]/u.test(one)) return 0.4;
  if (/[MW@%mwÆæ]/u.test(one)) return 1.06;
  return /[\p{Lu}&+=<>~#]/u.test(one) ? 0.82 : 0.68;
}

/** The widest of the usual system fonts. */
function widthElsewhere(base: string): number {
  if (/^\p{Extended_Pictographic}/u.test(base)) return 1.4;
  if (/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(base)) {
    return 1.05;
  }
  if (/^[MWŒmwœ]/u.test(base)) return 1.15;
  if (/^\p{Lu}/u.test(base)) return 0.95;
  // Joining and wide scripts: fonts vary.
  return /^[^\0-\u024f]/u.test(base) ? 0.95 : 0.75;
}

/** Upper bound of a text's width, in em. */
function widthInEms(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** Upper bound of the lines of a text that is `across` em wide; long words are broken. */
export function linesOf(text: string, across: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(/(?<=[\s-])/u)) {
    const width = widthInEms(word);
    if (used > 0 && used + width > across) {
      lines += 1;
      used = 0;
    }
    // A character that doesn't fit leaves the end of the line empty.
    const usable = Math.max(across - 1.4, 1.4);
    if (width > across) {
      const more = Math.ceil(width / usable);
      lines += more - 1;
      used = width - (more - 1) * usable;
    } else used += width;
  }
  return lines;
}
