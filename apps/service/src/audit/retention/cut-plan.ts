import type { DatabaseSync } from 'node:sqlite';
import { readHead } from '../log/stored-tree.ts';
import { firstHeld } from './legal-holds.ts';
import { lastMonthToCut, monthAfter, monthOf, startOf, type Month } from './months.ts';
import { RetentionError } from './retention-error.ts';

export interface CutPlan {
  /** The last month to go. */
  readonly until: Month;
  /** The first record to stay. */
  readonly beforeSeq: number;
  /** The first record to go: those before it went with an earlier cut. */
  readonly fromSeq: number;
  readonly records: number;
  /** Steps of the clock among them: reason to look whether their dates can be right. */
  readonly clockSteps: number;
}

/**
 * What a cut up to the end of a month would take: the records from the beginning of the log to the first that is dated
 * later. One that is dated earlier and stands behind it stays.
 *
 * @throws RetentionError where the month is too young, a hold is in the way, or there is nothing
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
      `Records are kept for ${terms.years} years: the last month that may be cut is ${last}.`,
    );
  }
  const beforeSeq = firstFrom(db, startOf(monthAfter(until)) * 1000);
  const fromSeq = firstUncut(db);
  if (beforeSeq <= fromSeq) {
    throw new RetentionError('nothing_to_cut', `There are no records up to ${until}.`);
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

/** @throws RetentionError where a hold covers a record from `fromSeq` to before `beforeSeq` */
export function requireNotHeld(db: DatabaseSync, fromSeq: number, beforeSeq: number): void {
  const held = firstHeld(db, fromSeq, beforeSeq);
  if (held !== undefined) {
    const { id, reference } = held.hold;
    const month = monthOfRecord(db, held.seq);
    throw new RetentionError(
      'held',
      `Hold ${id} (${reference}) covers record ${held.seq}, of ${month}: nothing from there on may be cut.`,
    );
  }
}

/** The first record of which there is more than a hash; the log's size where there is none. */
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
