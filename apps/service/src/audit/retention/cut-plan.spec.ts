import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { auditEntry, userIds } from '../audit.testing.ts';
import { commandEntry } from '../system-record.ts';
import { schemaStatements } from '../log/audit-schema.ts';
import { auditBody } from '../log/body.ts';
import { planCut, type CutPlan } from './cut-plan.ts';
import { holdDetails, type LegalHold } from './legal-holds.ts';
import type { Month } from './months.ts';
import { RetentionError } from './retention-error.ts';

interface Rec {
  readonly at: number;
  readonly patient: string;
  /** Asked for, and not seen. */
  readonly isAsked: boolean;
}

const start = Date.UTC(2010, 0);
const day = 86_400_000;

/** Dates go on, by hours or by months, and now and then the clock was set back. */
const log = fc
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

function database(records: readonly Rec[], held: readonly Hold[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  schemaStatements().forEach((statement) => {
    db.exec(statement);
  });
  const insert = db.prepare(
    'insert into audit_event (seq, leaf_hash, salt, body) values (?, zeroblob(32), zeroblob(16), ?)',
  );
  const see = db.prepare('insert into audit_patient (seq, user_id) values (?, ?)');
  let seq = 0;
  const add = (entry: Parameters<typeof auditBody>[0], at: number): void => {
    const place = { logId: 'a', seq, recordedAtUs: at * 1000, serverId: 'one' };
    const { body, patients } = auditBody(entry, place);
    insert.run(seq, body);
    patients.forEach((patient) => see.run(seq, patient));
    seq += 1;
  };
  for (const { at, patient, isAsked } of records) {
    const asked = { patients: [], details: { asked_user_id: patient } };
    add(auditEntry(isAsked ? asked : { patients: [patient] }), at);
  }
  // Of today: after all there is.
  add(commandEntry('exportAudit', {}), Date.UTC(2090, 0));
  held.forEach(({ isReleased, patient, from, to }, at) => {
    const hold: LegalHold = {
      id: String(at),
      reference: 'CASE',
      ...(patient !== undefined && { patient }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
    add(commandEntry('addLegalHold', holdDetails(hold)), Date.UTC(2090, 0));
    if (isReleased) {
      add(commandEntry('releaseLegalHold', { hold: hold.id }), Date.UTC(2090, 0));
    }
  });

  return db;
}

const monthText = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

function isHeld({ at, patient }: Rec, held: readonly Hold[]): boolean {
  return held.some(
    (hold) =>
      !hold.isReleased &&
      (hold.patient ?? patient) === patient &&
      (hold.from ?? '0') <= monthText(at) &&
      monthText(at) <= (hold.to ?? '9'),
  );
}

function isOldEnough(ms: number, now: number, years: number): boolean {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years) <= now;
}

function planOrRefusal(db: DatabaseSync, until: Month, nowMs: number, years: number): unknown {
  try {
    return planCut(db, until, { nowMs, years });
  } catch (error) {
    return error;
  }
}

describe('the plan of a cut', () => {
  it('takes whole months from the oldest on, all old enough, and nothing under hold; else it says why not', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(
        log,
        holds,
        month,
        fc.integer({ min: Date.UTC(2016, 0), max: Date.UTC(2024, 0) }),
        fc.integer({ min: 6, max: 9 }),
        (records, held, until, now, years) => {
          const db = database(records, held);
          const plan = planOrRefusal(db, until, now, years);
          db.close();
          const later = records.findIndex(({ at }) => monthText(at) > until);
          const before = later === -1 ? records.length : later;
          const taken = records.slice(0, before);
          if (plan instanceof RetentionError) {
            met.add(plan.refusal);
            const isYoung = !isOldEnough(momentAfter(until), now, years);
            const expected = isYoung ? 'too_young' : before === 0 ? 'nothing_to_cut' : 'held';
            expect(plan.refusal).toBe(expected);
            expect(plan.refusal !== 'held' || taken.some((rec) => isHeld(rec, held))).toBe(true);
          } else {
            met.add('plan');
            const { beforeSeq } = plan as CutPlan;
            expect(beforeSeq).toBe(before);
            expect(taken.every(({ at }) => isOldEnough(at, now, years))).toBe(true);
            expect(taken.some((rec) => isHeld(rec, held))).toBe(false);
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

/** The first millisecond that is not in the month: records are told apart by microseconds, so its last one is too early. */
function momentAfter(until: Month): number {
  const date = new Date(`${until}-01T00:00:00Z`);
  return date.setUTCMonth(date.getUTCMonth() + 1);
}
