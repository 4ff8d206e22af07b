import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AuditEntry, AuditReceipt, AuditRecorder } from '@caregate/audit-log';
import { teamA } from '../../access/access.testing.ts';
import { recordedChange, type AccessAct } from '../../access/access-acts.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { RECORD_WITHIN_MS } from './record-within.ts';
import { serviceActs } from './service-acts.ts';

const act: AccessAct = {
  ...{ operation: 'breakGlass', teamId: teamA, keyId: 'key', grantId: 'grant' },
  details: { reason: 'other' },
};
const receipt: AuditReceipt = { logId: '0123456789ab', seq: 7 };

/** A log whose disk holds every sync until it is let go on, or fails. */
class SlowLog implements AuditRecorder {
  readonly asked: AuditEntry[] = [];
  readonly #held: { readonly sync: () => void; readonly fail: () => void }[] = [];

  record(entry: AuditEntry): Promise<AuditReceipt> {
    this.asked.push(entry);
    return new Promise((resolve, reject) => {
      this.#held.push({
        sync: () => {
          resolve(receipt);
        },
        fail: () => {
          reject(new Error('The disk is full'));
        },
      });
    });
  }

  sync(): void {
    this.#held.shift()?.sync();
  }

  fail(): void {
    this.#held.shift()?.fail();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get decisions(): readonly unknown[] {
    return this.asked.map(({ operation, decision, reasonCode, breakGlassId }) => [
      ...[operation, decision, reasonCode, breakGlassId],
    ]);
  }
}

const granted = ['breakGlass', 'allowed', null, 'grant'];
const undone = ['breakGlass', 'failed', 'not_committed', 'grant'];

/** A change of nothing, whose end says whether it was committed. */
function change(log: AuditRecorder): Promise<string> {
  return recordedChange(
    {
      db: undefined as never,
      withWriteLock: (db, body) => body(db),
      acts: serviceActs(log),
    },
    () => Promise.resolve({ act, result: 'committed' }),
  ).catch((error: unknown) => (error instanceof ProblemError ? error.message : 'other'));
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an act', () => {
  it('whose record is durable in time is done, and no other record follows', async () => {
    const log = new SlowLog();
    const done = change(log);
    await jest.advanceTimersByTimeAsync(RECORD_WITHIN_MS - 1);
    log.sync();
    expect(await done).toBe('committed');
    await jest.advanceTimersByTimeAsync(RECORD_WITHIN_MS);
    expect(log.decisions).toEqual([granted]);
  });

  it('whose record is durable too late is not done, and recorded as failed once it is', async () => {
    const log = new SlowLog();
    const done = change(log);
    await jest.advanceTimersByTimeAsync(RECORD_WITHIN_MS);
    expect(await done).toBe('Service unavailable');
    expect(log.decisions).toEqual([granted]);
    log.sync();
    await jest.advanceTimersByTimeAsync(0);
    expect(log.decisions).toEqual([granted, undone]);
    // The second record is as slow, and is not given up.
    await jest.advanceTimersByTimeAsync(2 * RECORD_WITHIN_MS);
    log.sync();
    await jest.advanceTimersByTimeAsync(0);
    expect(log.decisions).toEqual([granted, undone]);
  });

  it('whose record fails late leaves it at that', async () => {
    const log = new SlowLog();
    const done = change(log);
    await jest.advanceTimersByTimeAsync(RECORD_WITHIN_MS);
    expect(await done).toBe('Service unavailable');
    log.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(log.decisions).toEqual([granted]);
  });
});
