import { DAY, MINUTE } from './time.ts';

const QUARTER = 15 * MINUTE;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/**
 * Returns the offset in minutes east of UTC at an instant. Calls Intl, which is slow, once for each quarter of an
 * hour.
 */
function getOffsetMinutes(zone: string, instant: number): number {
  const key = `${zone} ${Math.floor(instant / QUARTER)}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    let format = formats.get(zone);
    if (format === undefined) {
      format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
      formats.set(zone, format);
    }
    const match = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(format.format(instant));
    if (match === null) throw new RangeError(`no offset known for ${zone}`);
    const [, sign, hours = '0', minutes = '0'] = match;
    offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    offsets.set(key, offset);
  }
  return offset;
}

/**
 * Converts a local clock time, given as if it were UTC, to an instant. A time that daylight saving skips moves
 * forward.
 */
export function toInstant(zone: string, local: number): number {
  const before = getOffsetMinutes(zone, local - DAY);
  const instant = local - before * MINUTE;
  const after = getOffsetMinutes(zone, instant);
  if (after === before) return instant;
  const moved = local - after * MINUTE;
  return getOffsetMinutes(zone, moved) === after ? moved : instant;
}

/** Formats an instant as the clock in the zone shows it, such as `2026-03-08T01:30:00-05:00`. */
export function formatDateTimeInZone(zone: string, instant: number): string {
  const offset = getOffsetMinutes(zone, instant);
  const clock = new Date(instant + offset * MINUTE).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${clock}${offset < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

/** Returns the start of the local day of an instant, as if it were UTC. */
export function getLocalMidnight(zone: string, instant: number): number {
  const local = instant + getOffsetMinutes(zone, instant) * MINUTE;
  return local - (((local % DAY) + DAY) % DAY);
}
