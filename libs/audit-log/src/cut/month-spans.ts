import { monthAfter, monthOf, startOf, type Month } from './months.ts';

const noMonth = '0000-00' as Month;
const lastDate = Date.UTC(2200, 0);

/** A stretch of records of one month. A clock that was set back makes several of a month. */
export interface MonthSpan {
  readonly month: Month;
  readonly firstSeq: number;
  /** The one after its last record. */
  endSeq: number;
  /** Clock changes recorded in it. */
  clockSteps: number;
}

/** Collects spans, with one comparison for most records. */
export class Spans {
  readonly all: MonthSpan[] = [];
  #start = 0;
  #end = 0;

  take(seq: number, atMs: number, isClockStep: boolean): void {
    let span = this.all.at(-1);
    if (span === undefined || atMs < this.#start || atMs >= this.#end) {
      // A record without a date is of no month, whoever wrote it; that it was altered is for its hash to tell.
      const month = isDate(atMs) ? monthOf(atMs) : noMonth;
      [this.#start, this.#end] =
        month === noMonth ? [0, 0] : [startOf(month), startOf(monthAfter(month))];
      span = { month, firstSeq: seq, endSeq: seq, clockSteps: 0 };
      this.all.push(span);
    }
    span.endSeq = seq + 1;
    span.clockSteps += isClockStep ? 1 : 0;
  }
}

function isDate(ms: number): boolean {
  return ms >= 0 && ms < lastDate;
}
