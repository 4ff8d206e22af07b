import type { LogSource } from '../../log-source.ts';
import { lastMonthToCut, type Month } from '../months.ts';
import { firstHeld, type CutTimes } from './plan-cut.ts';
import type { LogSurvey } from './survey.ts';

/** A month of the log. Cuts erase whole months, starting with the oldest. */
export interface Segment {
  readonly month: Month;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly records: number;
  readonly state: 'kept' | 'may be cut' | 'held';
}

/** The months that are not erased, oldest first. */
export async function segments(
  source: LogSource,
  survey: LogSurvey,
  { nowMs, years }: CutTimes,
): Promise<Segment[]> {
  const last = lastMonthToCut(nowMs, years);
  const months = new Map<Month, { firstSeq: number; lastSeq: number; records: number }>();
  for (const { month, firstSeq, endSeq } of survey.spans) {
    const known = months.get(month) ?? { firstSeq, lastSeq: 0, records: 0 };
    const records = known.records + endSeq - firstSeq;
    months.set(month, { ...known, lastSeq: endSeq - 1, records });
  }
  const sorted = [...months].sort(([a], [b]) => (a < b ? -1 : 1));
  const [since, until] = [sorted[0]?.[0], sorted.at(-1)?.[0]];
  if (since === undefined || until === undefined) {
    return [];
  }
  const range = { since, until, fromSeq: survey.erased, beforeSeq: survey.size };
  const held = (await firstHeld(source, survey, range))?.seq ?? Infinity;
  return sorted.map(([month, span]) => ({
    month,
    ...span,
    state: month > last ? 'kept' : held <= span.lastSeq ? 'held' : 'may be cut',
  }));
}
