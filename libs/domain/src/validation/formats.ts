/**
 * The formats of the interface as pure functions, shared by the class decorators and the compiled validators. Dates
 * are parsed by character codes: a page of timeseries has two date-times for each point, and regular expressions
 * would take longer than parsing the JSON.
 */

const ZERO = 48;
const NINE = 57;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const COLON = 58;
const MICROSECONDS = 1_000_000;

/** Returns the two-digit number at a position, or NaN. */
function readTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

function getDaysInMonth(year: number, month: number): number {
  if (month === 2) {
    return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether the first ten characters are a valid date, as YYYY-MM-DD. */
function startsWithDay(text: string): boolean {
  if (text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) {
    return false;
  }
  const year = readTwoDigits(text, 0) * 100 + readTwoDigits(text, 2);
  const month = readTwoDigits(text, 5);
  const day = readTwoDigits(text, 8);
  return year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= getDaysInMonth(year, month);
}

/** Returns the end of the fraction of a second that starts at `at`; `at` if there is none; -1 if it has no digits. */
function findFractionEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== DOT) {
    return at;
  }
  let end = at + 1;
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end)) {
    end += 1;
  }
  return end === at + 1 ? -1 : end;
}

/** Returns the UTC offset from `at` to the end of the text in minutes east of UTC, or NaN if it is invalid. */
function parseOffsetMinutes(text: string, at: number): number {
  const sign = text.charCodeAt(at) | 0;
  if (sign === 90 || sign === 122) {
    return text.length === at + 1 ? 0 : NaN;
  }
  if ((sign !== PLUS && sign !== MINUS) || text.length !== at + 6) {
    return NaN;
  }
  const hours = readTwoDigits(text, at + 1);
  const minutes = readTwoDigits(text, at + 4);
  if (!(hours <= 23 && minutes <= 59) || text.charCodeAt(at + 3) !== COLON) {
    return NaN;
  }
  return sign === PLUS ? hours * 60 + minutes : -(hours * 60 + minutes);
}

/** A leap second only exists at the end of a UTC day, whatever the offset. */
function canBeLeapSecond(hour: number, minute: number, offset: number): boolean {
  return (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

/** Whether a text is an RFC 3339 date-time with its offset. A leap second is valid at 23:59:60 UTC only. */
export function isDateTime(text: string): boolean {
  if (text.length < 20 || !startsWithDay(text)) {
    return false;
  }
  const separator = text.charCodeAt(10);
  const hour = readTwoDigits(text, 11);
  const minute = readTwoDigits(text, 14);
  const second = readTwoDigits(text, 17);
  if (
    (separator !== 84 && separator !== 116) ||
    text.charCodeAt(13) !== COLON ||
    text.charCodeAt(16) !== COLON ||
    !(hour <= 23 && minute <= 59 && second <= 60)
  ) {
    return false;
  }
  const fractionEnd = findFractionEnd(text, 19);
  if (fractionEnd < 0) {
    return false;
  }
  const offset = parseOffsetMinutes(text, fractionEnd);
  return offset === offset && (second < 60 || canBeLeapSecond(hour, minute, offset));
}

/** Whether a text is an existing date as YYYY-MM-DD (RFC 3339 full-date). */
export function isCalendarDate(text: string): boolean {
  return text.length === 10 && startsWithDay(text);
}

/** Whether a text is a UUID of any version (RFC 9562), in upper or lower case. */
export function isUuid(text: string): boolean {
  if (text.length !== 36) {
    return false;
  }
  for (let at = 0; at < 36; at += 1) {
    const code = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== MINUS) {
        return false;
      }
    } else if (!((code >= ZERO && code <= NINE) || ((code | 32) >= 97 && (code | 32) <= 102))) {
      return false;
    }
  }
  return true;
}

/** Completes a date-time of a query: missing seconds are :00, and a missing offset is UTC. */
function completeDateTime(text: string): string {
  const withSeconds =
    text.charCodeAt(16) === COLON ? text : `${text.slice(0, 16)}:00${text.slice(16)}`;
  const fractionEnd = findFractionEnd(withSeconds, 19);
  return fractionEnd === withSeconds.length ? `${withSeconds}Z` : withSeconds;
}

/**
 * Whether a text is valid as `start_date` or `end_date`: a date, or an ISO 8601 date-time whose seconds and offset
 * may be missing (UTC).
 */
export function isQueryDate(text: string): boolean {
  return isCalendarDate(text) || isDateTime(completeDateTime(text));
}

/**
 * Returns the instant of a date-time in microseconds since 1970-01-01T00:00:00Z. A date-time without offset is read
 * as UTC, and a leap second as the second after it. Fractions finer than a microsecond are truncated. Exact until the
 * year 2255, when microseconds exceed the safe integers.
 * @throws RangeError if the text is not a date-time; the message doesn't contain it
 */
export function toInstant(dateTime: string): number {
  const text = completeDateTime(dateTime);
  if (!isDateTime(text)) {
    throw new RangeError('not a date-time');
  }
  const fractionEnd = findFractionEnd(text, 19);
  const fraction = Number(text.slice(20, Math.min(fractionEnd, 26)).padEnd(6, '0'));
  const day = new Date(0).setUTCFullYear(
    Number(text.slice(0, 4)),
    readTwoDigits(text, 5) - 1,
    readTwoDigits(text, 8),
  );
  const seconds =
    day / 1000 +
    (readTwoDigits(text, 11) * 60 +
      readTwoDigits(text, 14) -
      parseOffsetMinutes(text, fractionEnd)) *
      60 +
    readTwoDigits(text, 17);
  return seconds * MICROSECONDS + fraction;
}

/**
 * Returns the instant of a query's `start_date` or `end_date`, in microseconds since 1970. A date without time is
 * 00:00:00 UTC as a start and 23:59:59 UTC as an end.
 * @throws RangeError if the text is neither a date nor a date-time
 */
export function toQueryInstant(text: string, bound: 'start' | 'end'): number {
  return toInstant(
    isCalendarDate(text) ? `${text}T${bound === 'start' ? '00:00:00' : '23:59:59'}Z` : text,
  );
}

const AREA_AND_LOCATION = /^[A-Z][A-Za-z_]*(?:\/[A-Z][A-Za-z0-9_+-]*)+$/;
const timeZones = new Map<string, boolean>();

/**
 * Whether a text is an IANA time zone ID that this platform knows, as Area/Location or UTC. Aliases are valid;
 * offsets and abbreviations are not.
 */
export function isTimeZoneId(text: string): boolean {
  if (text === 'UTC') {
    return true;
  }
  if (text.length > 64 || !AREA_AND_LOCATION.test(text)) {
    return false;
  }
  if (timeZones.size === 0) {
    for (const id of Intl.supportedValuesOf('timeZone')) {
      timeZones.set(id, true);
    }
  }
  const cached = timeZones.get(text);
  if (cached !== undefined) {
    return cached;
  }
  let accepted = true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
  } catch {
    accepted = false;
  }
  // Limits the cache, so that invalid IDs can't fill the memory. There are a few hundred time zones.
  if (timeZones.size < 5000) {
    timeZones.set(text, accepted);
  }
  return accepted;
}

/**
 * Whether a text is a phone number in international format: a plus sign and 7 to 15 digits (ITU-T E.164), which
 * single spaces, dots, dashes or brackets may separate.
 */
export function isPhoneNumber(text: string): boolean {
  if (text.length > 32 || !/^\+[1-9(](?:[ .-]?[()\d])*$/.test(text)) {
    return false;
  }
  const digits = text.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15;
}

/**
 * Whether a LOINC code has a correct check digit (Luhn mod 10, LOINC Users' Guide). False if the text doesn't have
 * the form of a LOINC code.
 */
export function hasValidLoincCheckDigit(code: string): boolean {
  const parts = /^(\d{1,7})-(\d)$/.exec(code);
  if (parts === null) {
    return false;
  }
  const [, digits = '', check] = parts;
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - ZERO;
    const weighted = place % 2 === 0 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return (10 - (sum % 10)) % 10 === Number(check);
}
