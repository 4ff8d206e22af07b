import type { DatabaseSync } from 'node:sqlite';
import { firstHeld } from './legal-holds.ts';
import { lastMonthToCut, type Month } from './months.ts';

/** A month of the log. Cuts erase whole months, starting with the oldest. */
export interface Segment {
  readonly month: Month;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly records: number;
  readonly state: 'kept' | 'may be cut' | 'held';
}

/** The months that are not erased, oldest first. */
export function segments(
  db: DatabaseSync,
  terms: { readonly nowMs: number; readonly years: number },
): Segment[] {
  const last = lastMonthToCut(terms.nowMs, terms.years);
  const held = firstHeld(db, 0, Number.MAX_SAFE_INTEGER)?.seq ?? Number.MAX_SAFE_INTEGER;
  const rows = db
    .prepare(
      `select strftime('%Y-%m', recorded_at_us / 1000000, 'unixepoch') as month,
              min(seq) as first, max(seq) as last, count(*) as count
       from audit_event where recorded_at_us is not null group by 1 order by 1`,
    )
    .all();
  return rows.map((row) => {
    const {
      month,
      first,
      last: lastSeq,
      count,
    } = row as {
      month: Month;
      first: number;
      last: number;
      count: number;
    };
    const state = month > last ? 'kept' : held <= lastSeq ? 'held' : 'may be cut';
    return { month, firstSeq: first, lastSeq, records: count, state };
  });
}
