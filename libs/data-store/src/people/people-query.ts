import { isCalendarDate, isUuid } from '@caregate/domain';
import { toDigits, foldText, isDense, splitWords } from './name-text.ts';
import { listIdForms } from './search-tokens.ts';

export interface PeopleQuery {
  readonly text: string;
  /** ID of a user or an order. If it is set, `words`, `dates`, `phone` and `ids` are empty. */
  readonly uuid?: string | undefined;
  readonly words: readonly string[];
  readonly dates: readonly string[];
  readonly phone: string;
  /** Complete client user IDs, or their last digits. */
  readonly ids: readonly string[];
}

const TOO_SHORT =
  'needs at least three letters or digits, two characters of Han, Hangul or kana, or a date as YYYY-MM-DD';
const NO_SUCH_DATE = 'is a date that does not exist';
const phoneForm = /^[+()\d\s./-]+$/u;

export function parsePeopleQuery(input: string): PeopleQuery | { reason: string } {
  const text = input.replace(/\p{Surrogate}/gu, '').trim();
  const plain = text.normalize('NFKC');
  if (isUuid(plain)) {
    return { text, uuid: plain.toLowerCase(), words: [], dates: [], phone: '', ids: [] };
  }
  const { rest, date } = splitDate(plain);
  if (date !== undefined && !isCalendarDate(date)) {
    return { reason: NO_SUCH_DATE };
  }
  const digits = toDigits(plain);
  const isNumber = phoneForm.test(plain);
  const query = {
    text,
    words: isNumber ? [] : splitWords(rest),
    dates: date === undefined ? [] : [date],
    phone:
      isNumber && date === undefined && digits.length >= 4 ? removeTrunkPrefix(plain, digits) : '',
    ids: listIds(plain, digits, isNumber),
  };
  return isEnough(query, digits) ? query : { reason: TOO_SHORT };
}

/** Parses names and a birth date only. Digits don't count as phone numbers or IDs. */
export function parseNameQuery(
  name: string,
  dates: readonly string[],
): PeopleQuery | { reason: string } {
  const query = { text: '', words: splitWords(name), dates, phone: '', ids: [] };
  const isEmpty = name !== '' && query.words.length === 0;
  return !isEmpty && isEnough(query, '') ? query : { reason: TOO_SHORT };
}

function isEnough({ words, dates }: PeopleQuery, digits: string): boolean {
  const letters = words.map((word) => Array.from(word).length * (isDense(word) ? 1.5 : 1));
  const sum = letters.reduce((total, each) => total + each, 0);
  return dates.length > 0 || sum >= 3 || (words.length === 0 && digits.length >= 3);
}

function listIds(text: string, digits: string, isNumber: boolean): string[] {
  if (isNumber && !/[^\d\s]/u.test(text)) {
    return [...new Set([digits, digits.replace(/^0+/u, '')])].filter(({ length }) => length > 0);
  }
  return listIdForms(text)
    .slice(0, 1)
    .concat(foldText(text).includes(' ') ? listWordsWithDigits(text) : []);
}

function listWordsWithDigits(text: string): string[] {
  return foldText(text)
    .split(/\s+/u)
    .filter((word) => /\d/u.test(word) && /\p{L}/u.test(word));
}

/**
 * Removes `00` and a trunk `0` from long numbers. A short one may be the last digits of a number, which may begin
 * with 0.
 */
function removeTrunkPrefix(text: string, digits: string): string {
  return text.startsWith('+') || digits.length < 8 ? digits : digits.replace(/^0{1,2}/u, '');
}

interface SplitText {
  readonly rest: string;
  readonly date?: string;
}

/** Only YYYY-MM-DD counts as a date, since in other forms the month is ambiguous. */
function splitDate(text: string): SplitText {
  const parts = text.split(/[\s,;]+/u);
  const date = parts.find((part) => /^\d{4}-\d{2}-\d{2}$/u.test(part));
  return date === undefined
    ? { rest: text }
    : { date, rest: parts.filter((part) => part !== date).join(' ') };
}
