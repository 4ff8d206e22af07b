import { getHoursInDay, parseDate } from '@internationalized/date';
import type { MindfulnessMinutesPoint } from '@caregate/domain';

export type DayZone = { readonly kind: 'own' } | { readonly kind: 'zone'; readonly id: string };

export interface DayTotal {
  readonly day: string;
  readonly minutes: number;
  readonly sessions: readonly MindfulnessMinutesPoint[];
  /** A clock change in the zone; or several offsets among the sessions. */
  readonly shift: 'clockChange' | 'offsets' | undefined;
}

/** A session counts for the day on which it began. */
export function dailyTotals(
  points: readonly MindfulnessMinutesPoint[],
  zone: DayZone,
): readonly DayTotal[] {
  const dayOf = zone.kind === 'own' ? ownDay : dayIn(zone.id);
  const days = new Map<string, MindfulnessMinutesPoint[]>();
  for (const point of points) {
    const day = dayOf(point.start);
    const sessions = days.get(day);
    if (sessions === undefined) days.set(day, [point]);
    else sessions.push(point);
  }
  return [...days.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, sessions]) => {
      sessions.sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
      const minutes = sum(sessions.map(({ value }) => value));
      return { day, minutes, sessions, shift: shiftOf(day, sessions, zone) };
    });
}

interface Gap {
  readonly first: string;
  readonly last: string;
}

const dayMs = 86_400_000;

/** A week or more without any session: nothing was measured, which is not zero. `days` are in order. */
export function gapsIn(days: readonly string[], range: Gap): readonly Gap[] {
  const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const bounds = [at(range.first) - dayMs, ...days.map(at), at(range.last) + dayMs];
  return bounds.slice(1).flatMap((next, place) => {
    const before = bounds[place] ?? next;
    const isWeek = next - before > 7 * dayMs;
    return isWeek ? [{ first: dayAt(before + dayMs), last: dayAt(next - dayMs) }] : [];
  });
}

/** Compensated (Neumaier), so that many fractions add up. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

function ownDay(start: string): string {
  return start.slice(0, 10);
}

/** Since 1973 offsets change at whole quarters of an hour, so each quarter has one day. */
const quarter = 15 * 60_000;
const since = Date.UTC(1973, 0, 1);

function dayIn(id: string): (start: string) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: id,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const known = new Map<number, string>();
  return (start) => {
    const at = Date.parse(start);
    // An unreadable time keeps its written day.
    if (Number.isNaN(at)) return ownDay(start);
    if (at < since) return format.format(at);
    const key = Math.floor(at / quarter);
    const found = known.get(key) ?? format.format(at);
    known.set(key, found);
    return found;
  };
}

function shiftOf(
  day: string,
  sessions: readonly MindfulnessMinutesPoint[],
  zone: DayZone,
): DayTotal['shift'] {
  if (zone.kind === 'own') {
    const offsets = new Set(sessions.map(({ start }) => offsetOf(start)));
    return offsets.size > 1 ? 'offsets' : undefined;
  }
  return hours(day, zone.id) === 24 ? undefined : 'clockChange';
}

function hours(day: string, zone: string): number {
  try {
    return getHoursInDay(parseDate(day), zone);
  } catch {
    return 24;
  }
}

function offsetOf(start: string): string {
  const written = /(?:[zZ]|[+-]\d\d:\d\d)$/u.exec(start)?.[0] ?? '';
  return /^z$/iu.test(written) ? '+00:00' : written;
}
