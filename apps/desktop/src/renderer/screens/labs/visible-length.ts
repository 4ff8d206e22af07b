const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Letters, digits, punctuation and symbols; not those that are drawn as nothing, nor the blank of Braille. */
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * How many characters of a text can be seen, each with its accents counted once. Spaces, control and zero-width
 * characters, and accents with nothing to stand on, are none.
 */
export function visibleLength(text: string): number {
  return [...graphemes.segment(text)].filter(({ segment }) => visible.test(segment)).length;
}
