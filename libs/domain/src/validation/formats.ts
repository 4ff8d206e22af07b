/** The formats of the interface as pure functions, shared by the class decorators and the compiled validators. */

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DATE_TIME =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DAY_SECONDS = 86_400;

/** Whether the month of the text's date has that day. */
function hasDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return day <= 28 || new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === day;
}

/** Whether a text is an existing date as YYYY-MM-DD (RFC 3339 full-date). */
export function isCalendarDate(text: string): boolean {
  return DATE.test(text) && hasDay(text);
}

/** Whether a text is an RFC 3339 date-time with its offset. A leap second is valid at 23:59:60 UTC only. */
export function isDateTime(text: string): boolean {
  const isLeapSecond = text.charAt(17) === '6';
  return (
    DATE_TIME.test(text) &&
    hasDay(text) &&
    (!isLeapSecond || readSeconds(text)[0] % DAY_SECONDS === 0)
  );
}

/** Whether a text is a UUID of any version (RFC 9562), in upper or lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Completes a date-time of a query: missing seconds are :00, and a missing offset is UTC. */
function completeDateTime(text: string): string {
  const withSeconds = text.replace(/^(.{16})(?!:)/, '$1:00');
  return /^.{19}(?:\.\d+)?$/.test(withSeconds) ? `${withSeconds}Z` : withSeconds;
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
  const [seconds, microseconds] = readSeconds(text);
  return seconds * 1e6 + microseconds;
}

/** Returns whole seconds since 1970, where a leap second counts as the next one, and the microseconds after them. */
function readSeconds(dateTime: string): readonly [seconds: number, microseconds: number] {
  const [, day, hours, minutes, seconds, fraction = '', sign, offsetHours, offsetMinutes] =
    DATE_TIME.exec(dateTime) ?? [];
  const offset = Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0);
  const minute = Number(hours) * 60 + Number(minutes) + (sign === '-' ? offset : -offset);
  const midnight = Date.parse(`${day}T00:00Z`) / 1000;
  return [midnight + minute * 60 + Number(seconds), Number(fraction.slice(0, 6).padEnd(6, '0'))];
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
    const digit = Number(digits.charAt(digits.length - 1 - place));
    const weighted = place % 2 === 0 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return (10 - (sum % 10)) % 10 === Number(check);
}
