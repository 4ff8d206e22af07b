import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { CUT, HOLD_OPERATIONS } from '../entry/log-operations.ts';
import { verifierKey } from '../note/checkpoint.ts';
import { almostCut, forgedCuts, resigned, without } from '../testing/forged-cuts.testing.ts';
import {
  agreedCut,
  approverKeys,
  endorseBy,
  enrol,
  oldLog,
  times,
  today,
} from '../testing/cut-journey.testing.ts';
import { MemoryLog } from '../testing/memory-log.testing.ts';
import { revokeApprover } from './commands/approver-acts.ts';
import { approveCut, proposeCut, type CutAct } from './commands/cut-acts.ts';
import type { Month } from './months.ts';
import { surveyLog } from './commands/survey.ts';

const { dana, omar, ines } = approverKeys;
describe('a cut is refused', () => {
  it.each(forgedCuts())('%s', async (_what, forge, why) => {
    const { log, cut } = await almostCut();
    const details = forge(cut, log);
    log.act([{ operation: CUT, details }], today);
    expect(log.verified().cuts).toEqual([]);
    log.erased = Number(details['before_seq']);
    const nowMs = today + 30 * 86_400_000;
    // A clock that was set forward is seen by whoever verifies with a right one.
    expect(() => log.verified({ nowMs })).toThrow(why);
  });

  it('up to a record that is not of its months, though all agreed, as long as one of them is there', async () => {
    const { log, cut } = await almostCut();
    log.act([{ operation: CUT, details: resigned(log, cut, { beforeSeq: 21 }) }], today);
    for (const erased of [1, 20]) {
      log.erased = erased;
      expect(() => log.verified()).toThrow('is not of the months that it names');
    }
  });

  it('by any change of any of its parts', async () => {
    const { log, cut } = await almostCut();
    const parts = Object.entries(cut).filter(([name]) => name !== 'records');
    const size = log.size();
    fc.assert(
      fc.property(
        fc.constantFrom(...parts),
        fc.nat(200),
        fc.integer({ min: 1, max: 127 }),
        ([name, value], at, by) => {
          const text = String(value);
          const place = at % Math.max(1, text.length);
          const other = String.fromCharCode((text.charCodeAt(place) ^ by) & 0x7f);
          const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
          const details = { ...cut, [name]: typeof value === 'number' ? Number(changed) : changed };
          // Other spellings of the same bytes of a checkpoint or of a proof say the same.
          fc.pre(details[name] !== value && name !== 'checkpoint' && name !== 'consistency');
          const copy = log.copy();
          copy.act([{ operation: CUT, details }], today);
          copy.erased = 20;
          expect(() => copy.verified()).toThrow('erased without a retention cut');
          expect(log.size()).toBe(size);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('when it replays the signatures of an earlier one', async () => {
    const log = await oldLog();
    await agreedCut(log, '2018-04');
    log.erased = 10;
    const first = (await surveyLog(log)).records.findLast(({ operation }) => operation === CUT);
    const { log: other, cut } = await almostCut('2018-05');
    other.act(
      [{ operation: CUT, details: { ...cut, ...without(first?.details ?? {}, 'before') } }],
      today,
    );
    other.erased = 20;
    expect(() => other.verified()).toThrow('Record 0 was erased without a retention cut');
    log.act(
      [{ operation: CUT, details: { ...first?.details, before_seq: 20, until: '2018-05' } }],
      today,
    );
    expect(log.verified().cuts).toHaveLength(1);
    log.erased = 20;
    expect(() => log.verified()).toThrow('Record 10 was erased without a retention cut');
  });

  it('when an approver was revoked before it', async () => {
    const { log, cut } = await almostCut();
    log.act([revokeApprover(await surveyLog(log), 'omar')], today);
    log.act([{ operation: CUT, details: cut }], today);
    log.erased = 20;
    expect(() => log.verified()).toThrow('does not name the approvers');
    const again = await almostCut();
    again.log.act([revokeApprover(await surveyLog(again.log), 'omar')], today);
    const approvers = (await surveyLog(again.log)).approvers.text();
    const details = resigned(again.log, again.cut, { approvers });
    again.log.act([{ operation: CUT, details }], today);
    again.log.erased = 20;
    expect(() => again.log.verified()).toThrow('omar is no approver');
  });

  it('when a legal hold on its months was in force', async () => {
    const { log, cut } = await almostCut();
    const hold = { hold: '0badcafe', reference: 'CASE-1', from: '2018-05' };
    log.act([{ operation: HOLD_OPERATIONS.add, details: hold }], today);
    log.act([{ operation: CUT, details: resigned(log, cut, { holds: '0badcafe' }) }], today);
    log.erased = 20;
    expect(() => log.verified()).toThrow('hold 0badcafe (CASE-1) was in force');
  });

  it('by keys of approvers that are not those kept in another place', async () => {
    const log = await oldLog();
    log.erased = await agreedCut(log, '2018-05');
    const kept = [verifierKey('dana', dana), verifierKey('omar', omar)];
    expect(log.verified({ approvers: kept }).erased).toBe(20);
    expect(() => log.verified({ approvers: kept.slice(0, 1) })).toThrow(
      'the key of omar is none of the given ones',
    );
  });
});

describe('a third approver', () => {
  async function withInes(
    ...endorsers: KeyObject[]
  ): Promise<{ log: MemoryLog; cut: CutAct['details'] }> {
    const log = await oldLog();
    await enrol(log, 'ines', ines);
    for (const key of endorsers) {
      await endorseBy(log, 'ines', key);
    }
    const { id, acts } = await proposeCut(log, dana, '2018-05' as Month, times);
    log.act(acts, today);
    log.act((await approveCut(log, dana, id, times)).acts, today);
    const last = await approveCut(log, omar, id, times);
    return { log, cut: last.acts.at(-1)?.details ?? {} };
  }

  it('approves once two have endorsed them, and not before', async () => {
    const keys = [dana, dana, ines];
    for (const endorsers of [[], [dana]]) {
      const { log, cut } = await withInes(...endorsers);
      log.act([{ operation: CUT, details: resigned(log, cut, {}, keys) }], today);
      log.erased = 20;
      expect(() => log.verified()).toThrow('ines is no approver');
    }
    const { log, cut } = await withInes(dana, omar);
    log.act([{ operation: CUT, details: resigned(log, cut, {}, keys) }], today);
    log.erased = 20;
    expect(log.verified().cuts).toMatchObject([{ approvedBy: ['dana', 'ines'] }]);
  });

  it('is not endorsed by the same person twice, by themselves, or by a signature of another log', async () => {
    await expect(withInes(dana, dana)).rejects.toThrow('dana has endorsed ines already');
    await expect(withInes(ines)).rejects.toThrow('still waits for endorsements');
    const other = await oldLog(new MemoryLog('ffffffffffff'));
    await enrol(other, 'ines', ines);
    await endorseBy(other, 'ines', omar);
    const endorsement = (await surveyLog(other)).records.at(-1) as CutAct;
    const log = await oldLog();
    await enrol(log, 'ines', ines);
    await endorseBy(log, 'ines', dana);
    log.act([{ operation: endorsement.operation, details: endorsement.details }], today);
    expect((await surveyLog(log)).approvers.inForce('ines')).toBeUndefined();
  });

  it('cannot come in by revoking the others first', async () => {
    const log = await oldLog();
    for (const name of ['dana', 'omar']) {
      log.act([revokeApprover(await surveyLog(log), name)], today);
    }
    await enrol(log, 'ines', ines);
    await enrol(log, 'mallory', generateKeyPairSync('ed25519').privateKey);
    const { approvers } = await surveyLog(log);
    expect(approvers.all.filter(({ isPending }) => isPending)).toHaveLength(2);
    await expect(proposeCut(log, ines, '2018-05' as Month, times)).rejects.toThrow(
      'still waits for endorsements',
    );
    await expect(enrol(log, 'dana', dana)).rejects.toThrow('revoked, and stays so');
  });
});
