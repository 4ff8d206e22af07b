/** Audit records are kept for at least this long: 45 CFR 164.316(b)(2)(i). */
export const RETENTION_FLOOR_YEARS = 6;

/** A month of the calendar in UTC, `YYYY-MM`; they sort as text. */
export type Month = string & { readonly month: unique symbol };

export function isMonth(text: string): text is Month {
  return /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/u.test(text);
}

export function monthOf(ms: number): Month {
  return new Date(ms).toISOString().slice(0, 7) as Month;
}

/** Its first millisecond since 1970. */
export function startOf(month: Month): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

export function monthAfter(month: Month): Month {
  const date = new Date(startOf(month));
  return monthOf(date.setUTCMonth(date.getUTCMonth() + 1));
}

/**
 * The last month that is completely at least `years` years ago.
 *
 * @throws RangeError for fewer years than the legal minimum
 */
export function lastMonthToCut(nowMs: number, years: number): Month {
  if (!(years >= RETENTION_FLOOR_YEARS)) {
    throw new RangeError(`Audit records must be kept for at least ${RETENTION_FLOOR_YEARS} years.`);
  }
  const date = new Date(nowMs);
  const cutoff = date.setUTCFullYear(date.getUTCFullYear() - years);
  return monthOf(startOf(monthOf(cutoff)) - 1);
}
