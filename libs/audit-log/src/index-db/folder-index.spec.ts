import { describe, expect, it, jest } from '@jest/globals';
import { LogReader } from '../folder/log-reader.ts';
import { auditEntry, indexedMembers, inFolder, until } from '../testing/audit-entry.testing.ts';
import type { AuditLog } from '../writer/audit-log.ts';
import { openAuditLog } from '../writer/open-audit-log.ts';
import { FolderIndex } from './folder-index.ts';
import type { Indexed } from './indexer.ts';

/** The index of a log, which looks every five milliseconds. */
async function withLog(
  use: (log: AuditLog, indexOf: () => FolderIndex) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const log = await openAuditLog(folder);
    const reader = LogReader.open(folder);
    const opened: FolderIndex[] = [];
    try {
      await use(log, () => {
        const index = new FolderIndex(folder, reader, {
          members: indexedMembers,
          state: () => log.state(),
          lookEveryMs: 5,
        });
        opened.push(index);
        return index;
      });
    } finally {
      await Promise.all(opened.map((index) => index.close()));
      reader.close();
      await log.close();
    }
  });
}

async function record(log: AuditLog, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => log.record(auditEntry())));
}

describe('the index of a log', () => {
  it('catches up by itself, step by step, and its lag is known', async () => {
    await withLog(async (log, indexOf) => {
      await record(log, 2500);
      const index = indexOf();
      expect(index.lag).toBeUndefined();
      await until(() => index.lag === 0);
      await record(log, 1);
      expect(index.lag).toBe(1);
      await until(() => index.lag === 0);
      expect((await index.caughtUp()).size).toBe(2501);
    });
  });

  it('waits while records come, or wait to be written, as long as it is not 50,000 behind', async () => {
    jest.useFakeTimers();
    try {
      let [size, written, perLook, queued] = [0, 0, 1000, 0];
      const index = new FolderIndex('', {} as LogReader, {
        members: indexedMembers,
        state: () => ({ written, queued }),
        indexer: {
          step: (most) =>
            Promise.resolve({ size: (size = Math.min(written, size + most)), of: written }),
          catchUp: () => Promise.resolve(size),
          close: () => Promise.resolve(),
        },
      });
      const lagAfter = async (seconds: number): Promise<number | undefined> => {
        for (let second = 0; second < seconds; second += 1) {
          written += perLook;
          await jest.advanceTimersByTimeAsync(1000);
        }
        return index.lag;
      };
      // The first step finds how far behind it is.
      expect(await lagAfter(1)).toBe(0);
      expect(await lagAfter(50)).toBe(50_000);
      const behind = (await lagAfter(200)) ?? 0;
      expect([behind > 40_000, behind <= 51_000]).toEqual([true, true]);
      [perLook, queued] = [0, 1];
      expect(await lagAfter(60)).toBe(Math.min(behind, 50_000));
      queued = 0;
      expect(await lagAfter(60)).toBe(0);
      await index.close();
    } finally {
      jest.useRealTimers();
    }
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
      const close = (): Promise<void> => Promise.resolve();
      const state = () => ({ written: (written += 1), queued: 0 });
      const indexer = { step, catchUp, close };
      const index = new FolderIndex('', {} as LogReader, {
        members: indexedMembers,
        state,
        indexer,
      });
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
      await index.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('has everything for who asks, whatever else goes on', async () => {
    await withLog(async (log, indexOf) => {
      await record(log, 1500);
      const index = indexOf();
      expect((await index.caughtUp()).size).toBe(1500);
      expect(index.lag).toBe(0);
    });
  });
});
