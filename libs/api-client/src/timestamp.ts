import { InvalidArgumentError } from './errors/call-errors.ts';

/** A parsed date-time, for calculations; use `text` for display. */
export interface Timestamp {
  /** The original text, with the patient's local offset, which a Date does not keep. */
  readonly text: string;
  /** The instant, to the millisecond. */
  readonly date: Date;
  /** Offset from UTC in minutes; undefined if the text has no offset (read as UTC). */
  readonly offsetMinutes: number | undefined;
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?$/i;

/** Parses an RFC 3339 date-time such as `created_on` or the `start` of a point. Throws {@link InvalidArgumentError}. */
export function timestampOf(text: string): Timestamp {
  const [, day = '', time = '', second = '', fraction = '', sign, hours, minutes] =
    DATE_TIME.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date parses 30 February as 2 March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) {
    throw new InvalidArgumentError('timestamp', 'must be a date-time');
  }
  // Date has no leap seconds: the following second is used.
  const leap = second === '60' ? 1000 : 0;
  const local = Date.parse(`${day}T${time}${leap > 0 ? '59' : second}${fraction.slice(0, 4)}Z`);
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  const offsetMinutes = sign === undefined && !/z$/i.test(text) ? undefined : ahead;
  return { text, date: new Date(local + leap - ahead * 60_000), offsetMinutes };
}
