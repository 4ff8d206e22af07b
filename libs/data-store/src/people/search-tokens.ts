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
      : [...listSpellings(name).flatMap(listWordTokens), ...fullNameTokens(splitWords(name))]),
    ...(birthDate === undefined ? [] : [`@${birthDate}`]),
    ...listEndings(toDigits(phone ?? ''), 4).map((digits) => `+${digits}`),
  ]);
  const ids = clientUserId === undefined ? [] : listIdForms(clientUserId);
  return [...new Set([...tokens, ...ids.map(idToken)])].map(clip);
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
export function fullNameTokens(words: readonly string[]): Token[] {
  return words.length === 0 ? [] : [clip(`=${words.toSorted().join('=')}`)];
}

export const wholeWord = (word: string): string[] => [clip(word)];
export const beginningOfWord = (word: string): string[] => [`${clip(word)}*`];

/** Matches anywhere in a word. One or two letters only match at its beginning. */
export function anywhereInWord(word: string): string[] {
  const start = clip(word);
  return start.length >= shortestPart(start) ? [`${start}*`, `~${start}*`] : [`${start}*`];
}

export function soundTokens(word: string): Token[] {
  return listSounds(word).map((code) => clip(`^${code}`));
}

export function idToken(id: string): Token {
  return clip(`#${withoutSigns(id)}`);
}

/** Returns the forms of an ID: complete, and its last digits with and without leading zeros. */
export function listIdForms(clientUserId: string): string[] {
  const id = foldText(clientUserId);
  const last = id.normalize('NFKC').match(/\d+/gu)?.at(-1) ?? '';
  return [...new Set([id, last, last.replace(/^0+/u, '')])].filter(Boolean);
}

function withoutSigns(id: string): string {
  return foldText(id.normalize('NFKC')).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Longer numbers would have too many neighbors. */
const LONGEST_SLIP = 10;

/** Returns the IDs whose last number equals this one's, or differs from it by one typing error. */
export function nearIdTokens(text: string): Token[] {
  const last = /(?<!\d)\d{3,}$/u.exec(withoutSigns(text))?.[0];
  if (last === undefined) {
    return [];
  }
  const slips = new Set([last]);
  for (let at = 0; at <= last.length && last.length <= LONGEST_SLIP; at += 1) {
    const [before, one, after] = [last.slice(0, at), last.charAt(at), last.slice(at + 1)];
    for (const digit of '0123456789') {
      slips.add(`${before}${digit}${after}`).add(`${before}${digit}${one}${after}`);
    }
    slips.add(`${before}${after}`).add(`${before}${after.charAt(0)}${one}${after.slice(1)}`);
  }
  return [...slips].map(idToken);
}

/** Whether one character is wrong, missing or additional, or two neighbors are swapped. */
export function isOneSlip(typed: string, id: string): boolean {
  const [one, other] = [withoutSigns(typed), withoutSigns(id)];
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
  const [, ...rests] = listEndings(clip(word), shortestPart(word));
  return [word, ...rests.map((rest) => `~${rest}`), ...soundTokens(word)];
}

function shortestPart(word: string): number {
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
