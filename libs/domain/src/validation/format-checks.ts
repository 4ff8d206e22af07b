import { LEAST_REASON_LETTERS } from './known-values.ts';
import {
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './formats.ts';

/** Messages for invalid formats. They never contain the value. */
export const FORMAT_MESSAGES = {
  uuid: 'must be a UUID, such as 3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10',
  'date-time': 'must be a date-time with an offset, such as 2024-05-01T08:30:00+02:00',
  date: 'must be a valid date in the form YYYY-MM-DD',
  'time-zone-id': 'must be an IANA time zone, such as Europe/Berlin, or UTC',
  'phone-number': 'must be a phone number in international format with a leading +',
  'query-date': 'must be a date (YYYY-MM-DD) or an ISO 8601 date-time; encode + as %2B in a URL',
  'actor-id': 'must be the id of a key (12 letters and digits) or of a staff member (a UUID)',
  'log-id': 'must be the id of an audit log: 12 hexadecimal digits',
  'record-id': 'must be the id of an audit record: 32 hexadecimal digits',
  'operation-name': 'must be the name of an operation',
  'reason-text':
    'must be text with at least 20 letters or digits and at most 2000 characters, without NUL',
  'search-text': 'must be text of 1 to 200 characters, without NUL',
  'note-text': 'must be at most 2000 characters of text, without NUL',
  'one-line': 'must be 1 to 100 characters on one line',
  pin: 'must be 6 to 12 digits',
  'enrolment-code': 'must be the 10 characters of an enrolment code',
} as const;

export type FormatName = keyof typeof FORMAT_MESSAGES;

/** Checks of the formats, used by the class decorators and by the compiled validators. */
export const FORMAT_CHECKS: Readonly<Record<FormatName, (text: string) => boolean>> = {
  uuid: isUuid,
  'date-time': isDateTime,
  date: isCalendarDate,
  'time-zone-id': isTimeZoneId,
  'phone-number': isPhoneNumber,
  'query-date': isQueryDate,
  'actor-id': (text) => /^[A-Za-z0-9]{12}$/u.test(text) || isUuid(text),
  'log-id': (text) => /^[0-9a-f]{12}$/u.test(text),
  'record-id': (text) => /^[0-9a-f]{32}$/iu.test(text),
  'operation-name': (text) => /^[A-Za-z]{1,40}$/u.test(text),
  // Surrounding white space doesn't count. PostgreSQL can't store NUL in text.
  'reason-text': (text) =>
    hasLength(text.trim(), LEAST_REASON_LETTERS, 2000) &&
    countVisibleLetters(text) >= LEAST_REASON_LETTERS,
  'search-text': (text) => hasLength(text, 1, 200),
  'note-text': (text) => hasLength(text, 0, 2000),
  'one-line': (text) => hasLength(text.trim(), 1, 100) && !/\p{Cc}/u.test(text),
  pin: (text) => /^[0-9]{6,12}$/u.test(text),
  'enrolment-code': (text) => /^[0-9A-Za-z]{4}[ -]?[0-9A-Za-z]{6}$/u.test(text),
};

/** Counts letters and digits of any script, except invisible letters such as the Hangul fillers. */
export function countVisibleLetters(text: string): number {
  return text.match(/(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Compares the number of characters (code points), not of UTF-16 code units. */
function hasLength(text: string, least: number, most: number): boolean {
  const { length } = Array.from(text);
  return length >= least && length <= most && !text.includes('\0');
}
