import { describe, expect, it } from '@jest/globals';
import { auditEntry, inFolder } from '../testing/audit-entry.testing.ts';
import { openAuditLog } from '../writer/open-audit-log.ts';
import { IdleIndexing } from './idle-indexing.ts';
import { Indexer } from './indexer.ts';
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
