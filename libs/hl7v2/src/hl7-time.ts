import { isCalendarDate, isDateTime } from '@caregate/domain';
import type { Segment } from './segment.ts';

/** An HL7 time with the precision that was sent. */
export interface Hl7Time {
  /** YYYY-MM-DD. */
  readonly day?: string | undefined;
  /** RFC 3339 without offset; absent if the time has no minutes. */
  readonly dateTime?: string | undefined;
  /** UTC offset, `+HH:MM`. */
  readonly offset?: string | undefined;
}

const TIME_FORM =
  'The time must exist and have the form YYYYMMDDHHMM[SS[.SSSS]][+-ZZZZ], or less of it.';

const FORM =
  /^(?<year>\d{4})(?:(?<month>\d\d)(?:(?<day>\d\d)(?:(?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)(?<fraction>\.\d{1,4})?)?)?)?)?)?(?<offset>[+-]\d{4})?$/u;

/**
 * Parses `YYYY[MM[DD[HH[MM[SS[.S[S[S[S]]]]]]]]][+/-ZZZZ]`.
 * @returns `undefined` if the text has another form or the time doesn't exist
 */
function parseTime(text: string): Hl7Time | undefined {
  const parts = FORM.exec(text)?.groups;
  if (parts === undefined) {
    return undefined;
  }
  const {
    year = '',
    month = '01',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
  } = parts;
  const day = `${year}-${month}-${parts['day'] ?? '01'}`;
  const dateTime = `${day}T${hour}:${minute}:${second}${fraction}`;
  const offset = parts['offset']?.replace(/..$/u, ':$&');
  return isCalendarDate(day) && isDateTime(`${dateTime}${offset ?? 'Z'}`)
    ? {
        day: parts['day'] === undefined ? undefined : day,
        dateTime: parts['minute'] === undefined ? undefined : dateTime,
        offset,
      }
    : undefined;
}

/** @throws RefusedMessage if the field is present and not a valid time */
export function requireTime(segment: Segment, field: number): Hl7Time | undefined {
  const text = segment.getText(field);
  return text === undefined
    ? undefined
    : (parseTime(text) ?? segment.refuse('dataType', field, TIME_FORM));
}

/**
 * Like `requireTime`, but ignores an invalid time, so that one wrong date doesn't reject the results. `describeInvalidTimes`
 * lists these fields.
 */
export function readTime(segment: Segment, field: number): Hl7Time | undefined {
  const text = segment.getText(field);
  return text === undefined ? undefined : parseTime(text);
}

/** @returns a sentence for each field that has an invalid time */
export function describeInvalidTimes(segment: Segment, fields: readonly number[]): string[] {
  return fields.flatMap((field) => {
    const text = segment.getText(field);
    return text === undefined || parseTime(text) !== undefined
      ? []
      : [`${segment.name}-${field} has a date that does not exist: ${text.slice(0, 40)}`];
  });
}

/**
 * Converts a time to RFC 3339.
 * @param offset used if the time has none
 * @returns `undefined` if the minutes or the offset are unknown
 */
export function formatDateTime(
  time: Hl7Time | undefined,
  offset: string | undefined,
): string | undefined {
  const effectiveOffset = time?.offset ?? offset;
  return time?.dateTime === undefined || effectiveOffset === undefined
    ? undefined
    : `${time.dateTime}${effectiveOffset}`;
}
