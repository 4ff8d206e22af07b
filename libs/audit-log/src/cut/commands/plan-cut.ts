import { parseBody } from '../../entry/record-body.ts';
import type { LogSource } from '../../log-source.ts';
import { coversMonths, type ListedHold } from '../legal-holds.ts';
import { lastMonthToCut, monthOf, type Month } from '../months.ts';
import { RetentionError } from './retention-error.ts';
import type { MonthSpan } from '../month-spans.ts';
import { bodyText, storedEntries, type LogSurvey } from './survey.ts';

/** The retention in force. */
export interface CutTimes {
  readonly nowMs: number;
  readonly years: number;
}

export interface CutPlan {
  /** The month of the oldest record to erase, and the last month to erase. */
  readonly since: Month;
  readonly until: Month;
  /** The first record to keep. */
  readonly beforeSeq: number;
  /** The first record to erase: earlier ones were erased by previous cuts. */
  readonly fromSeq: number;
  readonly records: number;
  /** Number of clock changes among them: a reason to check their dates. */
  readonly clockSteps: number;
}

/** What a hold keeps a cut from. */
export interface Held {
  readonly hold: ListedHold;
  /** The first record that it covers, of those to erase. */
  readonly seq: number;
  readonly month: Month;
}

/**
 * Plans a cut up to the end of a month: the records from the first that is left to the first one dated later. Records after
 * that one are kept, even if they are dated earlier. Whether a hold covers them is for `requireNotHeld`.
 *
 * @throws RetentionError if the month is too recent or there are no records
 */
export function planCut(survey: LogSurvey, until: Month, { nowMs, years }: CutTimes): CutPlan {
  const last = lastMonthToCut(nowMs, years);
  if (until > last) {
    throw new RetentionError(
      'too_young',
      `Records are kept for ${years} years: the last month that can be cut is ${last}.`,
    );
  }
  const later = survey.spans.findIndex(({ month }) => month > until);
  const spans = later < 0 ? survey.spans : survey.spans.slice(0, later);
  const months = spans.map(({ month }) => month).sort();
  const [since] = months;
  if (since === undefined) {
    throw new RetentionError('nothing_to_cut', `No records up to ${until}.`);
  }
  const beforeSeq = spans.at(-1)?.endSeq ?? survey.size;
  return {
    since,
    until,
    beforeSeq,
    fromSeq: survey.erased,
    records: beforeSeq - survey.erased,
    clockSteps: spans.reduce((sum, span) => sum + span.clockSteps, 0),
  };
}

/** @throws RetentionError if a hold covers a record that is to be erased, or, for all patients, one of its months */
export async function requireNotHeld(
  source: LogSource,
  survey: LogSurvey,
  plan: CutPlan,
): Promise<void> {
  const held = await firstHeld(source, survey, plan);
  if (held !== undefined) {
    const { id, reference } = held.hold;
    throw new RetentionError(
      'held',
      `Hold ${id} (${reference}) covers record ${held.seq} of ${held.month}: records from there on cannot be cut.`,
    );
  }
}

/** The first record to erase that a hold in force covers. */
export async function firstHeld(
  source: LogSource,
  { holds, spans }: LogSurvey,
  plan: Pick<CutPlan, 'since' | 'until' | 'fromSeq' | 'beforeSeq'>,
): Promise<Held | undefined> {
  const { since, until, fromSeq, beforeSeq } = plan;
  const near = holds.inForce.filter((hold) => coversMonths(hold, since, until));
  const inAll = near
    .filter(({ patient }) => patient === undefined)
    .map((hold) => ({ hold, ...firstOf(spans, hold, plan) }))
    .sort((a, b) => a.seq - b.seq)[0];
  const ofPatients = near.filter(({ patient }) => patient !== undefined);
  if (ofPatients.length > 0) {
    for await (const { seq, entry } of storedEntries(source, fromSeq, inAll?.seq ?? beforeSeq)) {
      const hold = entry && ofPatients.find((one) => coversRecord(one, entry));
      if (hold !== undefined) {
        return { hold, seq, month: monthOfEntry(entry as Buffer) };
      }
    }
  }
  return inAll;
}

/**
 * The first record in the months of a hold; where it has none in them, the first of the months to erase: who verifies
 * later sees months alone, so that they decide.
 */
function firstOf(
  spans: readonly MonthSpan[],
  hold: ListedHold,
  { since, fromSeq, beforeSeq }: Pick<CutPlan, 'since' | 'fromSeq' | 'beforeSeq'>,
): { seq: number; month: Month } {
  const span = spans.find(
    ({ firstSeq, month }) => firstSeq < beforeSeq && coversMonths(hold, month, month),
  );
  return { seq: span?.firstSeq ?? fromSeq, month: span?.month ?? since };
}

function coversRecord(hold: ListedHold, entry: Buffer): boolean {
  const text = bodyText(entry);
  const { patients, details } = parseBody(Buffer.from(text, 'latin1').toString());
  const month = monthOfEntry(entry);
  return (
    coversMonths(hold, month, month) &&
    (patients.includes(hold.patient ?? '') || details['asked_user_id'] === hold.patient)
  );
}

function monthOfEntry(entry: Buffer): Month {
  return monthOf(
    parseBody(Buffer.from(bodyText(entry), 'latin1').toString()).recorded_at_us / 1000,
  );
}
