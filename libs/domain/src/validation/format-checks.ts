import {
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './formats.ts';
import type { FormatName } from './messages.ts';

/** The check behind each named format, for the class decorators and the compiled validators alike. */
export const FORMAT_CHECKS: Readonly<Record<FormatName, (text: string) => boolean>> = {
  uuid: isUuid,
  'date-time': isDateTime,
  date: isCalendarDate,
  'time-zone-id': isTimeZoneId,
  'phone-number': isPhoneNumber,
  'query-date': isQueryDate,
  'key-id': (text) => /^[A-Za-z0-9]{12}$/u.test(text),
  'log-id': (text) => /^[0-9a-f]{12}$/u.test(text),
  'record-id': (text) => /^[0-9a-f]{32}$/iu.test(text),
  'operation-name': (text) => /^[A-Za-z]{1,40}$/u.test(text),
  // Blanks around it do not count. PostgreSQL stores no NUL in a text.
  'reason-text': (text) => hasLength(text.trim(), 20, 2000),
  'note-text': (text) => hasLength(text, 0, 2000),
};

/** In characters, not in code units. */
function hasLength(text: string, least: number, most: number): boolean {
  const { length } = Array.from(text);
  return length >= least && length <= most && !text.includes('\0');
}
