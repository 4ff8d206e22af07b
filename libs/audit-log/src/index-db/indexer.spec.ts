import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { logPaths } from '../folder/layout.ts';
import { auditEntry, indexedMembers, inFolder } from '../testing/audit-entry.testing.ts';
import { openWriter, withReader } from '../testing/folder-log.testing.ts';
import { Indexer } from './indexer.ts';
import { LogIndex } from './log-index.ts';

function write(folder: string, count: number): void {
  const log = openWriter(folder);
  log.append(Array.from({ length: count }, () => auditEntry()));
  log.close();
}

/** The index as it was left. */
async function withIndex(
  folder: string,
  use: (index: LogIndex) => void | Promise<void>,
): Promise<void> {
  await withReader(folder, async (reader) => {
    const index = LogIndex.of(folder, reader, indexedMembers);
    try {
      await use(index);
    } finally {
      index.close();
    }
  });
}

describe('the indexer', () => {
  it('has what the log had when it was asked', async () => {
    await inFolder(async (folder) => {
      write(folder, 2);
      const indexer = new Indexer(folder, indexedMembers);
      expect(await indexer.catchUp()).toBe(2);
      write(folder, 1);
      expect(await indexer.catchUp()).toBe(3);
      await indexer.close();
      expect(existsSync(logPaths(folder).index)).toBe(true);
    });
  });

  it('makes the index again under a key that replaced the one it was made with', async () => {
    await inFolder(async (folder) => {
      write(folder, 2);
      const indexer = new Indexer(folder, indexedMembers);
      await indexer.catchUp();
      const log = openWriter(folder);
      log.rotateKey(log.nextKey(), 'amara');
      log.close();
      expect(await indexer.catchUp()).toBe(3);
      await withIndex(folder, ({ size }) => {
        expect(size).toBe(3);
      });
      await indexer.close();
    });
  });

  it('goes on in another thread where one has ended', async () => {
    await inFolder(async (folder) => {
      const indexer = new Indexer(folder, indexedMembers);
      await expect(indexer.catchUp()).rejects.toThrow('This data folder has no audit log.');
      await expect(indexer.step(1)).rejects.toThrow('This data folder has no audit log.');
      write(folder, 2);
      expect(await indexer.step(1)).toEqual({ size: 1, of: 2 });
      expect(await indexer.catchUp()).toBe(2);
      await indexer.close();
      await expect(indexer.catchUp()).rejects.toThrow('The indexer is closed');
    });
  });

  it('ends at once, before what it was asked for is done', async () => {
    await inFolder(async (folder) => {
      write(folder, 2);
      await withIndex(folder, (index) => index.catchUp());
      write(folder, 1);
      const indexer = new Indexer(folder, indexedMembers);
      const [asked] = await Promise.allSettled([indexer.catchUp(), indexer.close()]);
      expect(asked).toMatchObject({ reason: { message: 'The indexer ended' } });
      await withIndex(folder, (index) => {
        expect(index.size).toBe(2);
      });
    });
  });

  it('leaves an index that holds, wherever it is ended', async () => {
    await inFolder(async (folder) => {
      const all = 6000;
      write(folder, all);
      await withIndex(folder, ({ size }) => {
        expect(size).toBe(0);
      });
      let before = 0;
      for (let ended = 0; ended < 3 && before < all; ended += 1) {
        const indexer = new Indexer(folder, indexedMembers);
        const asked = indexer.catchUp().catch(String);
        const seen = new DatabaseSync(logPaths(folder).index, { readOnly: true });
        const state = seen.prepare(
          'select size, (select coalesce(max(seq) + 1, 0) from record) as rows from made_of',
        );
        // In the middle of what comes next. At every moment it has the rows that it says: so it could be ended at any.
        for (let size = before; size <= before; size = Number(state.get()?.['size'])) {
          const { size: said, rows } = state.get() ?? {};
          expect(rows).toBe(said);
          await breathe();
        }
        await indexer.close();
        await asked;
        seen.close();
        await withIndex(folder, async (index) => {
          const { size } = index;
          expect(size).toBeGreaterThan(before);
          await index.verify();
          // It was not made again: nothing of what is left looks as if somebody had changed it.
          expect(index.size).toBe(size);
          before = size;
        });
      }
      await withIndex(folder, async (index) => {
        await index.catchUp();
        expect(index.size).toBe(all);
      });
    });
  });
});
