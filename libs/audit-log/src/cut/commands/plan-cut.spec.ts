import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { HOLD_OPERATIONS } from '../../entry/log-operations.ts';
import { userIds } from '../../testing/audit-entry.testing.ts';
import { MemoryLog } from '../../testing/memory-log.testing.ts';
import { holdDetails, type LegalHold } from '../legal-holds.ts';
import type { Month } from '../months.ts';
import { planCut, requireNotHeld, type CutPlan, type CutTimes } from './plan-cut.ts';
import { RetentionError } from './retention-error.ts';
import { surveyLog } from './survey.ts';

interface Rec {
  readonly at: number;
  readonly patient: string;
  /** Asked for, and not seen. */
  readonly isAsked: boolean;
}

const start = Date.UTC(2010, 0);
const day = 86_400_000;

/** Dates go on, by hours or by months, and now and then the clock was set back. */
const records = fc
  .array(
    fc.record({
      step: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: 60 }) },
        { weight: 1, arbitrary: fc.integer({ min: -90, max: -1 }) },
      ),
      patient: fc.constantFrom(...userIds),
      isAsked: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((steps) => {
    let at = start;
    return steps.map(({ step, ...rest }): Rec => ({ ...rest, at: (at += step * day) }));
  });

/** Often enough one before all records, which 300 plain draws may miss. */
const month = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  )
  .map((at) => new Date(Date.UTC(2010, at)).toISOString().slice(0, 7) as Month);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const holds = fc.array(
  fc.record({
    patient: maybe(fc.constantFrom(...userIds)),
    from: maybe(month),
    to: maybe(month),
    isReleased: fc.boolean(),
  }),
  { maxLength: 2 },
);
type Hold = typeof holds extends fc.Arbitrary<(infer H)[]> ? H : never;

function logOf(written: readonly Rec[], held: readonly Hold[]): MemoryLog {
  const log = new MemoryLog();
  for (const { at, patient, isAsked } of written) {
    const asked = { patients: [], details: { asked_user_id: patient } };
    log.add(isAsked ? asked : { patients: [patient] }, at);
  }
  // Of today: after all there is.
  const today = Date.UTC(2090, 0);
  log.act([{ operation: 'exportAudit', details: {} }], today);
  held.forEach(({ isReleased, patient, from, to }, at) => {
    const hold: LegalHold = {
      id: String(at),
      reference: 'CASE',
      ...(patient !== undefined && { patient }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
    log.act([{ operation: HOLD_OPERATIONS.add, details: holdDetails(hold) }], today);
    if (isReleased) {
      log.act([{ operation: HOLD_OPERATIONS.release, details: { hold: hold.id } }], today);
    }
  });
  return log;
}

const monthText = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** A hold on all patients holds its months, whether or not there is a record of each. */
function isHeld(taken: readonly Rec[], until: Month, held: readonly Hold[]): boolean {
  const since = taken.map(({ at }) => monthText(at)).sort()[0] ?? until;
  const covers = ({ from, to }: Hold, first: string, last: string): boolean =>
    (from ?? '0') <= last && first <= (to ?? '9');
  return held.some(
    (hold) =>
      !hold.isReleased &&
      (hold.patient === undefined
        ? covers(hold, since, until)
        : taken.some(
            ({ at, patient }) =>
              hold.patient === patient && covers(hold, monthText(at), monthText(at)),
          )),
  );
}

function isOldEnough(ms: number, now: number, years: number): boolean {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years) <= now;
}

/** The first millisecond that is not in the month: records are told apart by microseconds, so its last one is too early. */
function momentAfter(until: Month): number {
  const date = new Date(`${until}-01T00:00:00Z`);
  return date.setUTCMonth(date.getUTCMonth() + 1);
}

async function planOrRefusal(
  log: MemoryLog,
  until: Month,
  times: CutTimes,
): Promise<CutPlan | RetentionError> {
  try {
    const survey = await surveyLog(log);
    const plan = planCut(survey, until, times);
    await requireNotHeld(log, survey, plan);
    return plan;
  } catch (error) {
    if (error instanceof RetentionError) {
      return error;
    }
    throw error;
  }
}

describe('the plan of a cut', () => {
  it('takes whole months from the oldest on, all old enough, and nothing under hold; else it says why not', async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        records,
        holds,
        month,
        fc.integer({ min: Date.UTC(2016, 0), max: Date.UTC(2024, 0) }),
        fc.integer({ min: 6, max: 9 }),
        async (written, held, until, nowMs, years) => {
          const plan = await planOrRefusal(logOf(written, held), until, { nowMs, years });
          const later = written.findIndex(({ at }) => monthText(at) > until);
          const before = later === -1 ? written.length : later;
          const taken = written.slice(0, before);
          if (plan instanceof RetentionError) {
            met.add(plan.refusal);
            const isYoung = !isOldEnough(momentAfter(until), nowMs, years);
            const expected = isYoung ? 'too_young' : before === 0 ? 'nothing_to_cut' : 'held';
            expect(plan.refusal).toBe(expected);
            expect(plan.refusal !== 'held' || isHeld(taken, until, held)).toBe(true);
          } else {
            met.add('plan');
            expect(plan.beforeSeq).toBe(before);
            expect(taken.every(({ at }) => isOldEnough(at, nowMs, years))).toBe(true);
            expect(taken.some(({ at }) => monthText(at) < plan.since)).toBe(false);
            expect(isHeld(taken, until, held)).toBe(false);
          }
        },
      ),
      {
        numRuns: 300,
        // The last millisecond before the month is old enough.
        examples: [[[], [], '2014-12' as Month, Date.UTC(2024, 0) - 1, 9]],
      },
    );
    expect(met).toEqual(new Set(['plan', 'held', 'too_young', 'nothing_to_cut']));
  });
});
