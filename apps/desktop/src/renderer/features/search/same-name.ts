import type { FoundPerson } from '@caregate/domain';

export type Likeness = 'sameName' | 'nearName';
type Name = string | null | undefined;

export function compareNames(one: Name, other: Name): Likeness | undefined {
  const [words, otherWords] = [splitName(one), splitName(other)];
  const [sortedWords, otherSortedWords] = [words.toSorted(), otherWords.toSorted()];
  if (words.length === 0 || otherWords.length === 0) return undefined;
  const [joined, othersJoined] = [sortedWords.join(' '), otherSortedWords.join(' ')];
  if (joined === othersJoined) return 'sameName';
  // Sorting the words would hide a typo in a first letter, so they are compared unsorted too.
  const isSlip = isNear(joined, othersJoined) || isNear(words.join(' '), otherWords.join(' '));
  return isSlip ||
    isWithin(sortedWords, otherSortedWords) ||
    isWithin(otherSortedWords, sortedWords)
    ? 'nearName'
    : undefined;
}

export interface SimilarPatient {
  readonly other: FoundPerson;
  readonly likeness: Likeness;
  /** Whether name and birth date are the same, so that only phone or town differ. */
  readonly hasSameDob: boolean;
}

export function findSimilarPatients(
  people: readonly FoundPerson[],
  one: FoundPerson,
): readonly SimilarPatient[] {
  return people
    .filter(({ user_id }) => user_id !== one.user_id)
    .flatMap((other) => {
      const likeness = compareNames(one.name, other.name);
      const isSameDob = Boolean(one.birth_date) && one.birth_date === other.birth_date;
      const hasSameDob = likeness === 'sameName' && isSameDob;
      return likeness === undefined ? [] : [{ other, likeness, hasSameDob }];
    });
}

/** Letters with a stroke, which Unicode doesn't decompose into a letter and an accent. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i' };

/** Splits a name into words, ignoring case, accents and apostrophes. */
export function splitName(name: Name): readonly string[] {
  return (name ?? '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670'’‘ʼ]/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[łøđı]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

/** Whether the longer name has all words of the other and additional ones, such as a second surname. */
function isWithin(few: readonly string[], many: readonly string[]): boolean {
  return few.length >= 2 && few.length < many.length && few.every((word) => many.includes(word));
}

function isNear(one: string, other: string): boolean {
  const length = Math.min(Array.from(one).length, Array.from(other).length);
  const maxDistance = length >= 10 ? 2 : length >= 5 ? 1 : 0;
  return (
    maxDistance > 0 &&
    computeDistance(Array.from(one), Array.from(other), maxDistance) <= maxDistance
  );
}

/** Computes the optimal string alignment distance. Stops once it exceeds `maxDistance`. */
function computeDistance(
  one: readonly string[],
  other: readonly string[],
  maxDistance: number,
): number {
  if (Math.abs(one.length - other.length) > maxDistance) return maxDistance + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_none, place) => place);
  for (const [row, letter] of one.entries()) {
    const next = [row + 1];
    for (const [column, otherLetter] of other.entries()) {
      const changed = (last[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      const swapped =
        row > 0 && column > 0 && letter === other[column - 1] && one[row - 1] === otherLetter
          ? (before[column - 1] ?? 0) + 1
          : Infinity;
      next.push(Math.min(changed, swapped, (last[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a name into parts and marks the beginnings of words that match a typed word, ignoring case and accents. */
export function markMatches(name: string, typed: string): readonly Part[] {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const folded = letters.map(fold);
  const marks = letters.map(() => false);
  for (const word of foldWords(typed)) {
    for (const start of folded.keys()) {
      const end = findEnd(folded, start, word);
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

function findEnd(folded: readonly string[], start: number, word: string): number | undefined {
  let spelled = '';
  for (let place = start; place < folded.length; place += 1) {
    const letter = folded[place] ?? '';
    if (letter === '') return undefined;
    spelled += letter;
    if (spelled.startsWith(word)) return place + 1;
    if (!word.startsWith(spelled)) return undefined;
  }
  return undefined;
}

function fold(letter: string): string {
  return splitName(letter).join('').replace(/\p{M}/gu, '');
}

function foldWords(typed: string): readonly string[] {
  return typed
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(fold)
    .filter((word) => word !== '');
}
