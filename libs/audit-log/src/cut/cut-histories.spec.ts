import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { HOLD_OPERATIONS } from '../entry/log-operations.ts';
import { verifierKey } from '../note/checkpoint.ts';
import { MemoryLog } from '../testing/memory-log.testing.ts';
import { endorseApprover, enrolApprover, revokeApprover } from './commands/approver-acts.ts';
import { approveCut, proposeCut } from './commands/cut-acts.ts';
import { holdDetails } from './legal-holds.ts';
import { lastMonthToCut, monthOf } from './months.ts';
import { RetentionError } from './commands/retention-error.ts';
import { surveyLog } from './commands/survey.ts';

const people = Array.from({ length: 5 }, () => generateKeyPairSync('ed25519').privateKey);
const nameOf = (person: number): string => `person-${person}`;
const month = 30 * 86_400_000;
const years = 6;

const person = fc.nat(people.length - 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), months: fc.nat(24) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('enrol' as const), person }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('endorse' as const), person, by: person }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), length: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      proposer: person,
      one: person,
      other: person,
      /** How much of what may be erased is: all of it, or a cut is under way. */
      part: fc.constantFrom(1, 1, 0.5),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Plays what people do over decades. Gives the number of cuts. */
class History {
  readonly log = new MemoryLog();
  nowMs = Date.UTC(2020, 0);
  cuts = 0;
  /** Erased under a cut: at most this many. */
  #allowed = 0;

  async play(one: Step): Promise<void> {
    switch (one.kind) {
      case 'read':
        this.nowMs += one.months * month;
        this.log.add({}, this.nowMs);
        break;
      case 'enrol': {
        const key = verifierKey(nameOf(one.person), people[one.person] as KeyObject);
        this.log.act([enrolApprover(await surveyLog(this.log), key).act], this.nowMs);
        break;
      }
      case 'endorse': {
        const survey = await surveyLog(this.log);
        const { act } = endorseApprover(survey, nameOf(one.person), people[one.by] as KeyObject);
        this.log.act([act], this.nowMs);
        break;
      }
      case 'revoke':
        this.log.act([revokeApprover(await surveyLog(this.log), nameOf(one.person))], this.nowMs);
        break;
      case 'hold': {
        const to = monthOf(this.nowMs - (years * 12 - one.length) * month);
        const hold = { id: `hold-${this.log.size()}`, reference: 'CASE', to };
        this.log.act([{ operation: HOLD_OPERATIONS.add, details: holdDetails(hold) }], this.nowMs);
        break;
      }
      case 'release': {
        const [hold] = (await surveyLog(this.log)).holds.inForce;
        const details = { hold: hold?.id ?? 'none' };
        this.log.act([{ operation: HOLD_OPERATIONS.release, details }], this.nowMs);
        break;
      }
      case 'cut':
        await this.#cut(one);
    }
  }

  async #cut({ proposer, one, other, part }: Extract<Step, { kind: 'cut' }>): Promise<void> {
    const { log, nowMs } = this;
    const { approvers } = await surveyLog(log);
    const inForce = approvers.all.filter(({ name }) => approvers.inForce(name) !== undefined);
    // Mostly somebody who may.
    const keyOf = (at: number): KeyObject => {
      const name = inForce[at % Math.max(1, inForce.length)]?.name ?? nameOf(at);
      return people[Number(name.slice(-1))] as KeyObject;
    };
    const times = { nowMs, years };
    const until = lastMonthToCut(nowMs, years);
    const { id, acts } = await proposeCut(log, keyOf(proposer), until, times);
    log.act(acts, nowMs);
    const first = await approveCut(log, keyOf(one), id, times);
    log.act(first.acts, nowMs);
    const second = await approveCut(log, keyOf(other), id, times);
    expect([first.isComplete, second.isComplete]).toEqual([false, true]);
    log.act(second.acts, nowMs);
    this.cuts += 1;
    this.#allowed = second.plan.beforeSeq;
    log.erased += Math.ceil((this.#allowed - log.erased) * part);
  }

  check(): void {
    const { log, nowMs } = this;
    expect(log.verified({ nowMs }).erased).toBe(log.erased);
    const { erased } = log;
    log.erased = this.#allowed + 1;
    if (log.erased <= log.size()) {
      expect(() => log.verified({ nowMs })).toThrow('was erased without a retention cut');
    }
    log.erased = erased;
  }
}

describe('histories of decades', () => {
  it('verify after each step, with approvers and holds whose own records were erased long ago', async () => {
    let [cuts, several] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
        const history = new History();
        await history.play({ kind: 'read', months: 0 });
        for (const at of [0, 1]) {
          await history.play({ kind: 'enrol', person: at });
        }
        for (const one of steps) {
          try {
            await history.play(one);
          } catch (error) {
            if (!(error instanceof RetentionError)) {
              throw error;
            }
          }
          history.check();
        }
        cuts += history.cuts;
        several += history.cuts > 1 ? 1 : 0;
      }),
      { numRuns: 15 },
    );
    expect([cuts > 3, several > 0]).toEqual([true, true]);
  });
});
