export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Formats milliseconds since 1970 as `2026-03-01T09:30:00+00:00`. */
export function formatDateTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}

/** Formats a time as `2026-03-01T09:30:00.123456+00:00`. */
export function formatMicroseconds(instant: number, microseconds: number): string {
  const milliseconds = new Date(instant).toISOString().slice(0, 23);
  return `${milliseconds}${String(microseconds % 1000).padStart(3, '0')}+00:00`;
}

/** Formats milliseconds since 1970 as `YYYY-MM-DD` in UTC. */
export function formatDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Converts `1985-03-07` to `07/03/1985`, the day/month/year form of a laboratory's `dob`. */
export function formatDayMonthYear(calendarDate: string): string {
  return `${calendarDate.slice(8, 10)}/${calendarDate.slice(5, 7)}/${calendarDate.slice(0, 4)}`;
}

export function computeAge(date: string, birthDate: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/**
 * Parses `YYYY-MM-DD` or a date-time with offset. Returns milliseconds since 1970. @throws RangeError if the text is
 * neither
 */
export function parseInstant(text: string): number {
  const instant = Date.parse(text);
  if (Number.isNaN(instant) || !/^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text)) {
    throw new RangeError('a date (YYYY-MM-DD) or a date-time with offset is needed');
  }
  return instant;
}
