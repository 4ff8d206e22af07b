// A grapheme may have several code points.
const letters = new Intl.Segmenter();

/** Returns at most two initials. A title with a period, such as "Dr.", is skipped. */
export function getInitials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const named = words.length > 2 ? words.filter((word) => !word.endsWith('.')) : words;
  const ends = named.length > 1 ? [named[0], named.at(-1)] : named;
  return ends
    .map((word = '') => letters.segment(word)[Symbol.iterator]().next())
    .map(({ value }) => value?.segment ?? '')
    .join('');
}
