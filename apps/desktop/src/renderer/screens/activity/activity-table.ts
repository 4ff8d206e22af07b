import type { DayTotal } from './daily-totals.ts';
import type { Panel } from './panels.ts';

export interface ShownPanel {
  readonly panel: Panel;
  readonly totals: readonly DayTotal[];
}

export function activityRows(shown: readonly ShownPanel[]): string[][] {
  const head = ['day', 'provider', 'source_type', 'start', 'end', 'value', 'unit'];
  const rows = shown.flatMap(({ panel, totals }) =>
    totals.flatMap(({ day, sessions }) =>
      sessions.map(({ start, end, value, unit }) => [
        ...[day, panel.provider, panel.source, start, end],
        ...[String(value), unit],
      ]),
    ),
  );
  return [head, ...rows];
}

/** `count` days, each YYYY-MM-DD. */
export function daysUntil(last: string, count: number): { first: string; last: string } {
  const first = new Date(Date.parse(`${last}T00:00:00Z`) - (count - 1) * 86_400_000);
  return { first: first.toISOString().slice(0, 10), last };
}
