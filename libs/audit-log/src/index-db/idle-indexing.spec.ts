import { describe, expect, it, jest } from '@jest/globals';
import { auditEntry, inFolder } from '../testing/audit-entry.testing.ts';
import { openAuditLog } from '../writer/open-audit-log.ts';
import { IdleIndexing } from './idle-indexing.ts';
import { Indexer, type Indexed } from './indexer.ts';
import type { AuditLog } from '../writer/audit-log.ts';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function withLog(use: (log: AuditLog, indexer: Indexer) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const log = await openAuditLog(folder);
    const indexer = new Indexer(folder);
    try {
      await use(log, indexer);
    } finally {
      await indexer.close();
      await log.close();
    }
  });
}

async function record(log: AuditLog, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => log.record(auditEntry())));
}

describe('the index of a log', () => {
  it('catches up by itself, step by step, and its lag is known', async () => {
    await withLog(async (log, indexer) => {
      await record(log, 2500);
      const indexing = new IdleIndexing(indexer, () => log.state(), 5);
      expect(indexing.lag).toBeUndefined();
      await until(() => indexing.lag === 0);
      expect((await indexer.step(0)).size).toBe(2500);
      await record(log, 1);
      expect(indexing.lag).toBe(1);
      await until(() => indexing.lag === 0);
      indexing.close();
    });
  });

  it('waits while records come, or wait to be written', async () => {
    await withLog(async (log, indexer) => {
      await record(log, 10);
      let busy = { written: 0, queued: 0, looks: 0 };
      const indexing = new IdleIndexing(
        indexer,
        () => (busy = { ...busy, written: busy.written + 1000, looks: busy.looks + 1 }),
        5,
      );
      await until(() => busy.looks > 20);
      expect(indexing.lag).toBeUndefined();
      indexing.close();
      let state = { ...log.state(), queued: 1 };
      let looks = 0;
      const other = new IdleIndexing(indexer, () => ((looks += 1), state), 5);
      await until(() => looks > 20);
      expect(other.lag).toBeUndefined();
      state = log.state();
      await until(() => other.lag === 0);
      other.close();
    });
  });

  it('looks less and less often while the index fails, and as before once it answers', async () => {
    jest.useFakeTimers();
    try {
      let [looks, fails, written] = [0, true, 0];
      const step = (): Promise<Indexed> => {
        looks += 1;
        return fails
          ? Promise.reject(new Error('The indexer ended'))
          : Promise.resolve({ size: written, of: written });
      };
      const catchUp = (): Promise<number> => Promise.resolve(0);
      const indexing = new IdleIndexing(
        { step, catchUp },
        () => ({ written: (written += 1), queued: 0 }),
        1000,
      );
      const looksIn = async (seconds: number): Promise<number> => {
        const before = looks;
        await jest.advanceTimersByTimeAsync(1000 * seconds);
        return looks - before;
      };
      expect(await looksIn(63)).toBe(6);
      expect(await looksIn(640)).toBe(10);
      fails = false;
      expect(await looksIn(64)).toBe(1);
      expect(await looksIn(10)).toBe(10);
      indexing.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('has everything for who asks, whatever else goes on', async () => {
    await withLog(async (log, indexer) => {
      await record(log, 1500);
      const indexing = new IdleIndexing(indexer, () => log.state(), 5);
      expect(await indexing.catchUp()).toBe(1500);
      expect(indexing.lag).toBe(0);
      indexing.close();
    });
  });
});
