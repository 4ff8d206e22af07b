import type { PersonFacts } from './person-facts.ts';
import { toDigits, foldText, isDense, listSounds, listSpellings, splitWords } from './name-text.ts';

/**
 * A search token, the same on both engines. A word of a name has no prefix. `~` is the end of a word from any of its
 * letters, `=` all words of a name, `^` a sound, `@` a birth date, `+` the end of a phone number, and `#` a form of
 * an ID.
 */
export type Token = string;

/** A person must have a token of each list. A text that ends with `*` matches every token that begins with it. */
export type TokenQuery = readonly (readonly string[])[];

/** PostgreSQL refuses words of more than 2,046 bytes. */
const LONGEST = 100;

export function listTokens({ clientUserId, facts }: PersonFacts): Token[] {
  const tokens = facts.flatMap(({ name, birthDate, phone }) => [
    ...(name === undefined
      ? []
      : [...listSpellings(name).flatMap(listWordTokens), ...listFullNameTokens(splitWords(name))]),
    ...(birthDate === undefined ? [] : [`@${birthDate}`]),
    ...listEndings(toDigits(phone ?? ''), 4).map((digits) => `+${digits}`),
  ]);
  const ids = clientUserId === undefined ? [] : listIdForms(clientUserId);
  return [...new Set([...tokens, ...ids.map(toIdToken)])].map(clip);
}

export function isFoundBy(query: TokenQuery, tokens: readonly Token[]): boolean {
  return query.every((list) =>
    list.some((wanted) =>
      wanted.endsWith('*')
        ? tokens.some((token) => token.startsWith(wanted.slice(0, -1)))
        : tokens.includes(wanted),
    ),
  );
}

/** Returns the token for the words of a whole name, in any order. */
export function listFullNameTokens(words: readonly string[]): Token[] {
  return words.length === 0 ? [] : [clip(`=${words.toSorted().join('=')}`)];
}

export const matchWord = (word: string): string[] => [clip(word)];
export const matchWordStart = (word: string): string[] => [`${clip(word)}*`];

/** Matches anywhere in a word. One or two letters only match at its beginning. */
export function matchWordPart(word: string): string[] {
  const start = clip(word);
  return start.length >= getMinPartLength(start) ? [`${start}*`, `~${start}*`] : [`${start}*`];
}

export function listSoundTokens(word: string): Token[] {
  return listSounds(word).map((code) => clip(`^${code}`));
}

export function toIdToken(id: string): Token {
  return clip(`#${removePunctuation(id)}`);
}

/** Returns the forms of an ID: complete, and its last digits with and without leading zeros. */
export function listIdForms(clientUserId: string): string[] {
  const id = foldText(clientUserId);
  const last = id.normalize('NFKC').match(/\d+/gu)?.at(-1) ?? '';
  return [...new Set([id, last, last.replace(/^0+/u, '')])].filter(Boolean);
}

function removePunctuation(id: string): string {
  return foldText(id.normalize('NFKC')).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Longer numbers would have too many neighbors. */
const LONGEST_TYPO = 10;

/** Returns the IDs whose last number equals this one's, or differs from it by one typing error. */
export function listSimilarIdTokens(text: string): Token[] {
  const last = /(?<!\d)\d{3,}$/u.exec(removePunctuation(text))?.[0];
  if (last === undefined) {
    return [];
  }
  const variants = new Set([last]);
  for (let at = 0; at <= last.length && last.length <= LONGEST_TYPO; at += 1) {
    const [before, one, after] = [last.slice(0, at), last.charAt(at), last.slice(at + 1)];
    for (const digit of '0123456789') {
      variants.add(`${before}${digit}${after}`).add(`${before}${digit}${one}${after}`);
    }
    variants.add(`${before}${after}`).add(`${before}${after.charAt(0)}${one}${after.slice(1)}`);
  }
  return [...variants].map(toIdToken);
}

/** Whether one character is wrong, missing or additional, or two neighbors are swapped. */
export function isSingleTypo(input: string, id: string): boolean {
  const [one, other] = [removePunctuation(input), removePunctuation(id)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) {
    start += 1;
  }
  const [mine, theirs] = [one.slice(start), other.slice(start)];
  return (
    mine !== theirs &&
    (mine.slice(1) === theirs.slice(1) ||
      mine.slice(1) === theirs ||
      mine === theirs.slice(1) ||
      `${mine.charAt(1)}${mine.charAt(0)}${mine.slice(2)}` === theirs)
  );
}

function listWordTokens(word: string): Token[] {
  const [, ...endings] = listEndings(clip(word), getMinPartLength(word));
  return [word, ...endings.map((ending) => `~${ending}`), ...listSoundTokens(word)];
}

function getMinPartLength(word: string): number {
  return isDense(word) ? 1 : 3;
}

/** Returns the ends of a text that start at each of its letters, the whole text first. */
function listEndings(text: string, shortest: number): string[] {
  const letters = Array.from(text);
  const count = Math.max(0, letters.length - shortest + 1);
  return Array.from({ length: count }, (_, at) => letters.slice(at).join(''));
}

function clip(text: string): string {
  return text.length <= LONGEST ? text : Array.from(text).slice(0, LONGEST).join('');
}
