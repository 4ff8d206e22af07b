import { describe, expect, it, jest } from '@jest/globals';
import { LogReader } from '../folder/log-reader.ts';
import { auditEntry, indexedMembers, inFolder, until } from '../testing/audit-entry.testing.ts';
import type { AuditLog } from '../writer/audit-log.ts';
import { openAuditLog } from '../writer/open-audit-log.ts';
import { FolderIndex } from './folder-index.ts';
import type { Indexed } from './indexer.ts';

type State = ConstructorParameters<typeof FolderIndex>[2]['state'];

/** The index of a log, which looks every five milliseconds. */
async function withLog(
  use: (log: AuditLog, indexOf: (state?: State) => FolderIndex) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const log = await openAuditLog(folder);
    const reader = LogReader.open(folder);
    const opened: FolderIndex[] = [];
    try {
      await use(log, (state = () => log.state()) => {
        const index = new FolderIndex(folder, reader, {
          members: indexedMembers,
          state,
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

  it('waits while records come, or wait to be written', async () => {
    await withLog(async (log, indexOf) => {
      await record(log, 10);
      let busy = { written: 0, queued: 0, looks: 0 };
      const index = indexOf(
        () => (busy = { ...busy, written: busy.written + 1000, looks: busy.looks + 1 }),
      );
      await until(() => busy.looks > 20);
      expect(index.lag).toBeUndefined();
      let state = { ...log.state(), queued: 1 };
      let looks = 0;
      const other = indexOf(() => ((looks += 1), state));
      await until(() => looks > 20);
      expect(other.lag).toBeUndefined();
      state = log.state();
      await until(() => other.lag === 0);
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
      const close = (): Promise<void> => Promise.resolve();
      const state = (): ReturnType<State> => ({ written: (written += 1), queued: 0 });
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
