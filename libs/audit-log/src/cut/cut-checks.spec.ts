import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../entry/audit-entry.ts';
import { UPGRADE_LOG } from '../entry/log-operations.ts';
import { agreedCut, oldLog, today } from '../testing/cut-journey.testing.ts';

describe('a cut that carries its proof', () => {
  it('lets everything before it be erased, and nothing more', async () => {
    const log = await oldLog();
    const before = await agreedCut(log, '2018-05');
    expect(before).toBe(20);
    for (let erased = 0; erased <= before; erased += 1) {
      log.erased = erased;
      expect(log.verified()).toMatchObject({
        erased,
        unproven: 0,
        cuts: [{ approvedBy: ['dana', 'omar'] }],
      });
    }
    log.erased = before + 1;
    expect(() => log.verified()).toThrow('Record 20 was erased without a retention cut');
  });
});

describe('a record of an upgrade', () => {
  it('lets what it found erased be erased only where another key begins, and only before it', async () => {
    const log = await oldLog();
    const seq = log.add(upgraded(log.size(), { proved: 9, erased: 5 }), today);
    log.erased = 5;
    expect(() => log.verified()).toThrow('Record 0 was erased without a retention cut');
    log.upgradedAt = seq - 1;
    expect(() => log.verified()).toThrow('Record 0 was erased without a retention cut');
    log.upgradedAt = seq;
    expect(log.verified()).toMatchObject({
      erased: 5,
      unproven: 5,
      notProved: { first: 9, end: seq },
    });
    log.erased = 6;
    expect(() => log.verified()).toThrow('Record 5 was erased without a retention cut');
  });

  it('allows no more than what is before it, and nothing where it tells of other records than those', async () => {
    const log = await oldLog();
    const seq = log.size();
    log.upgradedAt = log.add(upgraded(seq, { proved: seq, erased: seq + 3 }), today);
    expect(log.verified().notProved).toBeUndefined();
    log.erased = seq;
    expect(log.verified().unproven).toBe(seq);
    const other = await oldLog();
    other.upgradedAt = other.add(upgraded(seq + 1, { proved: seq, erased: 3 }), today);
    other.erased = 3;
    expect(() => other.verified()).toThrow('Record 0 was erased without a retention cut');
  });
});

function upgraded(
  records: number,
  details: { readonly proved: number; readonly erased: number },
): Pick<AuditEntry, 'operation' | 'details' | 'patients'> {
  return { operation: UPGRADE_LOG, details: { records, ...details }, patients: [] };
}
