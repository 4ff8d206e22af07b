import type { DatabaseSync } from 'node:sqlite';
import { readHead } from '../log/stored-tree.ts';
import { firstHeld } from './legal-holds.ts';
import { lastMonthToCut, monthAfter, monthOf, startOf, type Month } from './months.ts';
import { RetentionError } from './retention-error.ts';

export interface CutPlan {
  /** The last month to erase. */
  readonly until: Month;
  /** The first record to keep. */
  readonly beforeSeq: number;
  /** The first record to erase: earlier ones were erased by previous cuts. */
  readonly fromSeq: number;
  readonly records: number;
  /** Number of clock changes among them: a reason to check their dates. */
  readonly clockSteps: number;
}

/**
 * Plans a cut up to the end of a month: the records from the start of the log to the first one dated later. Records after
 * that one are kept, even if they are dated earlier.
 *
 * @throws RetentionError if the month is too recent, a hold applies, or there are no records
 */
export function planCut(
  db: DatabaseSync,
  until: Month,
  terms: { readonly nowMs: number; readonly years: number },
): CutPlan {
  const last = lastMonthToCut(terms.nowMs, terms.years);
  if (until > last) {
    throw new RetentionError(
      'too_young',
      `Records are kept for ${terms.years} years: the last month that can be cut is ${last}.`,
    );
  }
  const beforeSeq = firstFrom(db, startOf(monthAfter(until)) * 1000);
  const fromSeq = firstUncut(db);
  if (beforeSeq <= fromSeq) {
    throw new RetentionError('nothing_to_cut', `No records up to ${until}.`);
  }
  requireNotHeld(db, fromSeq, beforeSeq);
  const steps = db
    .prepare("select count(*) as count from audit_event where operation = 'clockStep' and seq < ?")
    .get(beforeSeq);
  return {
    until,
    beforeSeq,
    fromSeq,
    records: beforeSeq - fromSeq,
    clockSteps: steps?.['count'] as number,
  };
}

/** @throws RetentionError if a hold covers a record from `fromSeq` (inclusive) to `beforeSeq` (exclusive) */
export function requireNotHeld(db: DatabaseSync, fromSeq: number, beforeSeq: number): void {
  const held = firstHeld(db, fromSeq, beforeSeq);
  if (held !== undefined) {
    const { id, reference } = held.hold;
    const month = monthOfRecord(db, held.seq);
    throw new RetentionError(
      'held',
      `Hold ${id} (${reference}) covers record ${held.seq} of ${month}: records from there on cannot be cut.`,
    );
  }
}

/** The first record that is not erased; the size of the log if there is none. */
export function firstUncut(db: DatabaseSync): number {
  const row = db.prepare('select seq from audit_event where body is not null order by seq limit 1');
  return (row.get()?.['seq'] as number | undefined) ?? readHead(db).size;
}

function firstFrom(db: DatabaseSync, us: number): number {
  const row = db
    .prepare('select min(seq) as seq from audit_event where recorded_at_us >= ?')
    .get(us);
  return (row?.['seq'] as number | null | undefined) ?? readHead(db).size;
}

function monthOfRecord(db: DatabaseSync, seq: number): Month {
  const row = db.prepare('select recorded_at_us as us from audit_event where seq = ?').get(seq);
  return monthOf((row?.['us'] as number) / 1000);
}
