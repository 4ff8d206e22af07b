import { isCalendarDate, isDateTime } from '@caregate/domain';
import type { Segment } from './segment.ts';

/** A time of HL7 as far as it is given. */
export interface Hl7Time {
  /** YYYY-MM-DD. */
  readonly day?: string | undefined;
  /** RFC 3339 without offset; absent if there are no minutes. */
  readonly dateTime?: string | undefined;
  /** `+HH:MM`. */
  readonly offset?: string | undefined;
}

const TIME_FORM =
  'The time must exist and have the form YYYYMMDDHHMM[SS[.SSSS]][+-ZZZZ], or less of it.';

const FORM =
  /^(?<year>\d{4})(?:(?<month>\d\d)(?:(?<day>\d\d)(?:(?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)(?<fraction>\.\d{1,4})?)?)?)?)?)?(?<offset>[+-]\d{4})?$/u;

/** `YYYY[MM[DD[HH[MM[SS[.S[S[S[S]]]]]]]]][+/-ZZZZ]`. @returns undefined if it has another form, or does not exist */
function timeOf(text: string): Hl7Time | undefined {
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

/** @throws RefusedMessage if the field has something else than such a time */
export function requireTime(segment: Segment, field: number): Hl7Time | undefined {
  const text = segment.text(field);
  return text === undefined
    ? undefined
    : (timeOf(text) ?? segment.refuse('dataType', field, TIME_FORM));
}

/** Leaves out what is no such time: a wrong date in one place must not cost the results. `badTimes` says which it were. */
export function readTime(segment: Segment, field: number): Hl7Time | undefined {
  const text = segment.text(field);
  return text === undefined ? undefined : timeOf(text);
}

/** @returns a sentence for each of the fields that has something else than a time */
export function badTimes(segment: Segment, fields: readonly number[]): string[] {
  return fields.flatMap((field) => {
    const text = segment.text(field);
    return text === undefined || timeOf(text) !== undefined
      ? []
      : [`${segment.name}-${field} has a date that does not exist: ${text.slice(0, 40)}`];
  });
}

/** RFC 3339. @param offset of a time that has none. @returns undefined where minutes or offset are not known */
export function instantText(
  time: Hl7Time | undefined,
  offset: string | undefined,
): string | undefined {
  const known = time?.offset ?? offset;
  return time?.dateTime === undefined || known === undefined
    ? undefined
    : `${time.dateTime}${known}`;
}
