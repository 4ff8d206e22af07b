import { DAY, MINUTE } from './time.ts';

interface OffsetSpan {
  /** First instant of the span, epoch milliseconds. */
  readonly from: number;
  readonly minutes: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const years = new Map<string, readonly OffsetSpan[]>();

/** Minutes east of UTC in the zone at the instant, by Intl: slow, and the measure of `offsetMinutes`. */
export function offsetMinutesByIntl(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const match = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(format.format(instant));
  if (match === null) throw new RangeError(`no offset known for ${zone}`);
  const [, sign, hours = '0', minutes = '0'] = match;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Minutes east of UTC in the zone at the instant, from spans found once a zone and year. */
export function offsetMinutes(zone: string, instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  const key = `${zone} ${year}`;
  let spans = years.get(key);
  if (spans === undefined) {
    spans = spansOf(zone, year);
    years.set(key, spans);
  }
  let minutes = 0;
  for (const span of spans) {
    if (span.from > instant) break;
    minutes = span.minutes;
  }
  return minutes;
}

/** The instant of a local clock time, given as if it were UTC; a time the clock skips moves forward. */
export function instantOfLocal(zone: string, local: number): number {
  const before = offsetMinutes(zone, local - DAY);
  const instant = local - before * MINUTE;
  const after = offsetMinutes(zone, instant);
  if (after === before) return instant;
  const moved = local - after * MINUTE;
  return offsetMinutes(zone, moved) === after ? moved : instant;
}

/** `2026-03-08T01:30:00-05:00`: the instant as the clock in the zone shows it. */
export function dateTimeInZone(zone: string, instant: number): string {
  const offset = offsetMinutes(zone, instant);
  const clock = new Date(instant + offset * MINUTE).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${clock}${offset < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

/** Looks once a week, then halves to the minute: no zone changes twice within a week. */
function spansOf(zone: string, year: number): readonly OffsetSpan[] {
  const start = Date.UTC(year, 0, 1);
  const end = Date.UTC(year + 1, 0, 1);
  const spans: OffsetSpan[] = [{ from: start, minutes: offsetMinutesByIntl(zone, start) }];
  let known = start;
  let minutes = offsetMinutesByIntl(zone, start);
  while (known < end) {
    const next = Math.min(known + 7 * DAY, end);
    const nextMinutes = offsetMinutesByIntl(zone, next);
    if (nextMinutes !== minutes) {
      let low = known;
      let high = next;
      while (high - low > MINUTE) {
        const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
        if (offsetMinutesByIntl(zone, middle) === minutes) low = middle;
        else high = middle;
      }
      spans.push({ from: high, minutes: nextMinutes });
      minutes = nextMinutes;
    }
    known = next;
  }
  return spans;
}

/** The start of the local day on which the instant falls, as if it were UTC. */
export function localMidnight(zone: string, instant: number): number {
  const local = instant + offsetMinutes(zone, instant) * MINUTE;
  return local - (((local % DAY) + DAY) % DAY);
}
