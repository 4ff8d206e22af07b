import { toInstant, isCalendarDate, isDateTime } from '@caregate/domain';

/** A time range in microseconds since 1970. The end is exclusive. */
export interface Span {
  readonly fromUs: number;
  readonly untilUs: number;
}

const PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'] as const;
type Prefix = (typeof PREFIXES)[number];

export interface DateCriterion extends Span {
  readonly prefix: Prefix;
}

const FORM =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/u;
const DAY_US = 86_400_000_000;

/** Returns the range that a date or date-time covers with its precision. Without a time zone it is in UTC. */
export function parseSpan(text: string): Span | undefined {
  const match = FORM.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year = '', month, day, time, seconds, fraction, zone = 'Z'] = match;
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`;
  if (!isCalendarDate(date)) {
    return undefined;
  }
  if (time === undefined) {
    const fromUs = Date.parse(date) * 1000;
    return { fromUs, untilUs: fromUs + countDays(year, month, day) * DAY_US };
  }
  const end = fraction === undefined ? '' : `.${fraction}`;
  const instant = `${date}T${time}:${seconds ?? '00'}${end}${zone}`;
  const fromUs = isDateTime(instant) ? toInstant(instant) : NaN;
  const precisionUs =
    seconds === undefined ? 60_000_000 : 10 ** (6 - (fraction === undefined ? 0 : fraction.length));
  return Number.isSafeInteger(fromUs) ? { fromUs, untilUs: fromUs + precisionUs } : undefined;
}

function countDays(year: string, month: string | undefined, day: string | undefined): number {
  if (day !== undefined) {
    return 1;
  }
  const first = Date.UTC(Number(year), month === undefined ? 0 : Number(month) - 1);
  const next =
    month === undefined ? Date.UTC(Number(year) + 1, 0) : Date.UTC(Number(year), Number(month));
  return (next - first) / 86_400_000;
}

/** Returns the reason if the text is not a valid date criterion. */
export function parseDateCriterion(text: string): DateCriterion | { readonly reason: string } {
  const [, prefix = 'eq', date = ''] = /^([a-z]{2})?(.*)$/su.exec(text) ?? [];
  if (!(PREFIXES as readonly string[]).includes(prefix)) {
    return { reason: `must have no prefix, or one of ${PREFIXES.join(', ')}` };
  }
  // A `+` that the client didn't encode arrives as a space.
  const span = parseSpan(date.replace(/ (?=\d\d:\d\d$)/u, '+'));
  return span === undefined
    ? { reason: 'must be a date that exists, as YYYY, YYYY-MM, YYYY-MM-DD or with a time' }
    : { prefix: prefix as Prefix, ...span };
}

/** Compares by the rules of https://hl7.org/fhir/R4/search.html#prefix */
export function matchesDate(
  { prefix, ...criterion }: DateCriterion,
  span: Span | undefined,
): boolean {
  if (span === undefined) {
    return false;
  }
  const isWithin = criterion.fromUs <= span.fromUs && span.untilUs <= criterion.untilUs;
  switch (prefix) {
    case 'eq':
      return isWithin;
    case 'ne':
      return !isWithin;
    case 'gt':
      return span.untilUs > criterion.untilUs;
    case 'lt':
      return span.fromUs < criterion.fromUs;
    case 'ge':
      return isWithin || span.untilUs > criterion.untilUs;
    case 'le':
      return isWithin || span.fromUs < criterion.fromUs;
    case 'sa':
      return span.fromUs >= criterion.untilUs;
    case 'eb':
      return span.untilUs <= criterion.fromUs;
  }
}

/**
 * Returns a range outside of which no time matches the criteria, in whole milliseconds, the precision of
 * `lastUpdated`.
 */
export function findBounds(criteria: readonly DateCriterion[]): Span {
  let [fromUs, untilUs] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (const { prefix, ...criterion } of criteria) {
    if (['eq', 'ge', 'gt', 'sa'].includes(prefix)) {
      fromUs = Math.max(fromUs, prefix === 'sa' ? criterion.untilUs : criterion.fromUs);
    }
    if (['eq', 'le', 'lt', 'eb'].includes(prefix)) {
      untilUs = Math.min(
        untilUs,
        ['eq', 'le'].includes(prefix) ? criterion.untilUs : criterion.fromUs,
      );
    }
  }
  return { fromUs: Math.floor(fromUs / 1000) * 1000, untilUs: Math.ceil(untilUs / 1000) * 1000 };
}
