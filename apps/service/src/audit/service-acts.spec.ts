import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuditUnavailableError, type AuditReceipt } from '@caregate/audit-log';
import type { WithWriteLock } from '@caregate/data-store/database';
import { teamA } from '../auth/access.testing.ts';
import type { AuditAct } from '../audit/audit-entries.ts';
import { AccessDatabase } from '../auth/access-database.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { RECORD_TIMEOUT_MS, createActRecorder } from './service-acts.ts';
import type { AuditEntry, AuditRecorder } from './audit-record.ts';

const act: AuditAct = {
  ...{ operation: 'breakGlass', team_id: teamA, key_id: 'key', break_glass_id: 'grant' },
  details: { reason: 'other' },
};
const receipt: AuditReceipt = { logId: '0123456789ab', seq: 7 };

/** A log whose commits wait until the test lets them succeed or fail. */
class SlowLog implements AuditRecorder {
  readonly entries: AuditEntry[] = [];
  readonly #held: { readonly sync: () => void; readonly fail: (error: Error) => void }[] = [];

  record(entry: AuditEntry): Promise<AuditReceipt> {
    this.entries.push(entry);
    return new Promise((resolve, reject) => {
      this.#held.push({
        sync: () => {
          resolve(receipt);
        },
        fail: reject,
      });
    });
  }

  sync(): void {
    this.#held.shift()?.sync();
  }

  fail(error: Error): void {
    this.#held.shift()?.fail(error);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get decisions(): readonly unknown[] {
    return this.entries.map((one) => [one.operation, one.decision, one.reason_code]);
  }
}

const granted = ['breakGlass', 'allowed', null];
const undone = ['breakGlass', 'failed', 'not_committed'];

const refused = 'Service unavailable';
const broken = new AuditUnavailableError('The audit log cannot be written', {
  retryAfterSeconds: 1,
  isRefused: false,
});

/** Runs an empty change, and returns whether it was committed. */
function change(log: AuditRecorder): Promise<string> {
  const engine = {
    ...{ reader: undefined as never, writer: undefined as never, close: () => Promise.resolve() },
    withWriteLock: ((db, body) => body(db)) as WithWriteLock,
  };
  return new AccessDatabase(engine, { acts: createActRecorder(log) })
    .change(async (_transaction, record) => {
      await record(act);
      return 'committed';
    })
    .catch((error: unknown) => (error instanceof ProblemError ? error.message : 'other'));
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an act', () => {
  it.each<[string, number, Error | undefined, string]>([
    ['is durable in time is done', RECORD_TIMEOUT_MS - 1, undefined, 'committed'],
    ['fails late is not done', RECORD_TIMEOUT_MS, broken, refused],
    ['fails in time is not done', 0, broken, refused],
  ])('whose record %s', async (_what, afterMs, error, said) => {
    const log = new SlowLog();
    const done = change(log);
    await jest.advanceTimersByTimeAsync(afterMs);
    expect(log.decisions).toEqual([granted]);
    if (error === undefined) log.sync();
    else log.fail(error);
    expect(await done).toBe(said);
    await jest.advanceTimersByTimeAsync(RECORD_TIMEOUT_MS);
    expect(log.decisions).toEqual([granted]);
  });

  it('whose record is durable too late is not done, and recorded as failed once it is', async () => {
    const log = new SlowLog();
    const done = change(log);
    await jest.advanceTimersByTimeAsync(RECORD_TIMEOUT_MS);
    expect(await done).toBe(refused);
    expect(log.decisions).toEqual([granted]);
    log.sync();
    await jest.advanceTimersByTimeAsync(0);
    expect(log.decisions).toEqual([granted, undone]);
  });
});
