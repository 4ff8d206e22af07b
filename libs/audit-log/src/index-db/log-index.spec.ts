import { randomUUID } from 'node:crypto';
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { idsOf } from '../entry/packed-uuids.ts';
import { logPaths } from '../folder/layout.ts';
import {
  auditEntry,
  indexedMembers,
  inFolder,
  march,
  parsed,
  teamId,
  userIds,
  type Members,
} from '../testing/audit-entry.testing.ts';
import { openWriter, withReader } from '../testing/folder-log.testing.ts';
import { Indexer } from './indexer.ts';
import { LogIndex } from './log-index.ts';
import type { RecordQuery } from './index-rows.ts';

const teams = ['team a', 'team b'];
const actors = ['key 1', 'key 2'];
const operations = ['resolveUser', 'labOrderResult', 'createKey'];

const someEntry: fc.Arbitrary<Partial<Members>> = fc.record({
  team_id: fc.constantFrom(...teams, null),
  actor_id: fc.constantFrom(...actors),
  operation: fc.constantFrom(...operations),
  decision: fc.constantFrom('allowed', 'denied'),
  patients: fc.subarray([...userIds]),
});

const someQuery: fc.Arbitrary<RecordQuery> = fc.record(
  {
    from: fc.constantFrom(march * 1000, march * 1000 + 20_000),
    to: fc.constantFrom(march * 1000 + 30_000, march * 1000 + 60_000),
    id: fc.constantFrom(...userIds),
    texts: fc.record(
      {
        team_id: fc.constantFrom(...teams),
        actor_id: fc.constantFrom(...actors),
        operation: fc.subarray(operations),
        decision: fc.constantFrom('allowed', 'denied'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

function matches({ from, to, id, texts = {} }: RecordQuery, text: string): boolean {
  const record = parsed(text);
  const at = Number(record['recorded_at_us']);
  return (
    at >= (from ?? 0) &&
    at <= (to ?? Infinity) &&
    (id === undefined || idsOf(record.patients).includes(id)) &&
    Object.entries(texts).every(
      ([name, wanted]) => wanted === undefined || [wanted].flat().includes(String(record[name])),
    )
  );
}

function write(folder: string, texts: readonly string[]): void {
  const log = openWriter(folder);
  texts.forEach((text) => log.append([text]));
  log.checkpoint();
  log.close();
}

async function withIndex<T>(folder: string, use: (index: LogIndex) => T | Promise<T>): Promise<T> {
  return await withReader(folder, async (reader) => {
    const index = LogIndex.of(folder, reader, indexedMembers);
    try {
      await index.catchUp();
      return await use(index);
    } finally {
      index.close();
    }
  });
}

function overwriteWhole(file: string): void {
  writeFileSync(file, 'x'.repeat(8192));
}

const all = { from: 0, below: 1000, limit: 1000, order: 'asc' } as const;

describe('the index of a log', () => {
  it('finds what a scan of the log finds, whatever is asked', async () => {
    await inFolder(async (folder) => {
      const texts = fc
        .sample(someEntry, { numRuns: 60, seed: 15 })
        .map((members, at) => auditEntry(members, march + at));
      write(folder, texts);
      await withIndex(folder, (index) => {
        fc.assert(
          fc.property(someQuery, (query) => {
            const scanned = texts.flatMap((text, seq) => (matches(query, text) ? [seq] : []));
            expect(index.find(query, all)).toEqual(scanned);
            expect(index.find(query, { ...all, order: 'desc', limit: 3 })).toEqual(
              scanned.slice(-3).reverse(),
            );
          }),
          { numRuns: 200 },
        );
      });
    });
  });

  it('opens without waiting for another process that writes it', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry({})]);
      await withIndex(folder, () => undefined);
      const writer = new DatabaseSync(logPaths(folder).index);
      writer.exec('begin immediate');
      withReader(folder, (reader) => {
        const index = LogIndex.of(folder, reader, indexedMembers);
        expect(index.size).toBe(1);
        index.close();
      });
      writer.close();
    });
  });

  it('finds each of many patients in records that it takes in parts for their number', async () => {
    await inFolder(async (folder) => {
      const lists = Array.from({ length: 3 }, () =>
        Array.from({ length: 8000 }, () => randomUUID()),
      );
      const last = lists.map((patients) => patients.at(-1) ?? '');
      write(
        folder,
        [...lists, last].map((patients) => auditEntry({ patients })),
      );
      const sizes: number[] = [];
      await withReader(folder, async (reader) => {
        const index = LogIndex.of(folder, reader, indexedMembers);
        await index.catchUp((size) => sizes.push(size));
        await index.verify();
        expect(last.map((id) => index.find({ id }, all))).toEqual([0, 1, 2].map((at) => [at, 3]));
        index.close();
      });
      expect(sizes).toEqual([3, 4]);
    });
  });

  it('catches up with what was added', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry()]);
      await withIndex(folder, (index) => {
        expect(index.size).toBe(1);
      });
      write(folder, [auditEntry({ operation: 'second' })]);
      await withIndex(folder, (index) => {
        expect(index.find({ texts: { operation: 'second' } }, all)).toEqual([1]);
      });
    });
  });

  it.each<[string, (file: string) => unknown]>([
    ['deleted', rmSync],
    ['overwritten with something else', overwriteWhole],
    ['that of another log', () => undefined],
  ])('is made again when it was %s', async (what, damage) => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry(), auditEntry()]);
      await withIndex(folder, () => undefined);
      damage(logPaths(folder).index);
      if (what === 'that of another log') {
        rmSync(join(folder, 'audit-key.pem'));
        const index = readFileSync(logPaths(folder).index);
        rmSync(join(folder, 'audit'), { recursive: true });
        write(folder, [auditEntry({ operation: 'other' }), auditEntry()]);
        writeFileSync(logPaths(folder).index, index);
      }
      await withIndex(folder, (index) => {
        expect(index.size).toBe(2);
        expect(index.find({}, all)).toEqual([0, 1]);
        expect(index.find({ texts: { operation: 'other' } }, all)).toEqual(
          what === 'that of another log' ? [0] : [],
        );
      });
    });
  });

  it('is rebuilt from the log, whatever it said', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry()]);
      await withIndex(folder, async (index) => {
        await index.rebuild();
        expect(index.find({}, all)).toEqual([0]);
      });
    });
  });

  it('finds a record that was removed from the log, and is not made again without it', async () => {
    await inFolder(async (folder) => {
      const log = openWriter(folder, { segmentBytes: 1 });
      log.append([auditEntry()]);
      log.append([auditEntry()]);
      log.checkpoint();
      log.close();
      await withIndex(folder, () => undefined);
      rmSync(join(folder, 'audit/records/000000000000000'));
      await withIndex(folder, async (index) => {
        expect(index.find({ id: userIds[0] }, all)).toEqual([0, 1]);
        await expect(index.rebuild()).rejects.toThrow('Record 0 is missing or damaged');
      });
    });
  });
});

/** SQL of an expression: the records of a posting without record 4, or with another in its place. */
const without4 = '(select json_group_array(value) from json_each(records) where value <> 4)';
const instead4 = (seq: string): string =>
  `(select json_group_array(iif(value = 4, ${seq}, value)) from json_each(records))`;

/** What somebody does to the index who has not the key of the log, and wants a record not to be found. */
const changes: readonly string[] = [
  'delete from record where seq = 4',
  `update posting set records = ${without4}`,
  `delete from record where seq = 4; update posting set records = ${without4}`,
  "update record set team_id = 'another' where seq = 4",
  "update record set operation = 'other', decision = 'denied' where seq = 4",
  'update record set recorded_at_us = 0 where seq = 4',
  `update posting set records = ${instead4('3')}`,
  `update posting set id = upper(id) where id = '${userIds[0]}'`,
  `delete from posting where id = '${userIds[0]}'`,
  `update posting set records = ${instead4('5')} where id = '${userIds[0]}'`,
  // What does not lie in a row's span is not found there.
  'update posting set last = 3',
  'update posting set first = 5',
  "update posting set records = '[' where id > '6'",
  'delete from record where seq >= 8; delete from posting where last >= 8',
  'delete from record; delete from posting',
  'update made_of set size = 5',
  'update made_of set size = 11',
  'update made_of set mac = zeroblob(32)',
  'update made_of set chain = zeroblob(32)',
  'delete from made_of',
];

/** In the table and in SQLite's own index of it. */
function overwrite(file: string, bytes: Buffer, [from, to]: readonly [string, string]): void {
  const handle = openSync(file, 'r+');
  for (let at = bytes.indexOf(from); at > 0; at = bytes.indexOf(from, at + 1)) {
    writeSync(handle, to, at);
  }
  closeSync(handle);
}

/** Ten records, of which every second is of all patients. */
async function expectWhole(folder: string): Promise<void> {
  await withIndex(folder, (index) => {
    expect(index.find({}, all)).toHaveLength(10);
    expect(index.find({ id: userIds[0] }, all)).toEqual([0, 2, 4, 6, 8]);
    expect(index.find({ id: userIds[1] }, all)).toContain(4);
    const texts = { team_id: teamId, operation: 'resolveUser', decision: 'allowed' };
    expect(index.find({ texts, from: march }, all)).toHaveLength(10);
  });
}

describe('an index that somebody changed', () => {
  it.each(changes)('is made again, while it is open and when it is opened: %s', async (change) => {
    await inFolder(async (folder) => {
      const entries = Array.from({ length: 10 }, (_, at) =>
        auditEntry({ patients: [...userIds.slice(at % 2)] }),
      );
      write(folder, entries);
      const tamper = (): void => {
        const db = new DatabaseSync(logPaths(folder).index);
        db.exec(change);
        db.close();
      };
      const indexer = new Indexer(folder, indexedMembers);
      await indexer.catchUp();
      tamper();
      expect(await indexer.catchUp()).toBe(10);
      await expectWhole(folder);
      await indexer.close();
      tamper();
      const opened = new Indexer(folder, indexedMembers);
      expect(await opened.catchUp()).toBe(10);
      await opened.close();
      await expectWhole(folder);
    });
  });

  it('is made again while it is open where its bytes were changed past SQLite', async () => {
    await inFolder(async (folder) => {
      write(
        folder,
        Array.from({ length: 10 }, () => auditEntry({ patients: [...userIds] })),
      );
      const indexer = new Indexer(folder, indexedMembers);
      await indexer.catchUp();
      const file = `${logPaths(folder).index}-wal`;
      const bytes = readFileSync(file);
      const before = statSync(file, { bigint: true }).mtimeNs;
      // A kernel before 6.13 tells times by its tick of some milliseconds, and in one with the index's own write it is not seen.
      while (statSync(file, { bigint: true }).mtimeNs === before) {
        overwrite(file, bytes, ['resolveUser', 'listUsersxx']);
      }
      expect(await indexer.catchUp()).toBe(10);
      await indexer.close();
      await withIndex(folder, (index) => {
        expect(index.find({ texts: { operation: 'resolveUser' } }, all)).toHaveLength(10);
      });
    });
  });

  it('is not read again for what its own process writes', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry()]);
      await withReader(folder, async (reader) => {
        const index = LogIndex.of(folder, reader, indexedMembers);
        await index.catchUp();
        write(folder, [auditEntry(), auditEntry()]);
        await index.catchUp();
        // The service reads it on a connection of its own.
        const other = LogIndex.of(folder, reader, indexedMembers);
        expect(other.find({}, all)).toHaveLength(3);
        expect(index.wasChanged()).toBe(false);
        other.close();
        expect(index.wasChanged()).toBe(false);
        await index.rebuild();
        expect(index.wasChanged()).toBe(false);
        index.close();
      });
    });
  });

  it('is believed where it was made with the key, and not read again', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry(), auditEntry()]);
      await withIndex(folder, async (index) => {
        await index.verify();
        expect(index.size).toBe(2);
      });
      // One that was made with another key is made again.
      withReader(folder, (reader) => {
        const index = new LogIndex(logPaths(folder).index, reader, {
          members: indexedMembers,
          key: undefined,
        });
        expect(index.size).toBe(0);
        index.close();
      });
    });
  });

  it('does not find a changed record under what it says now', async () => {
    await inFolder(async (folder) => {
      write(
        folder,
        Array.from({ length: 300 }, () => auditEntry()),
      );
      const path = join(folder, 'audit/records/000000000000000');
      const bytes = readFileSync(path);
      bytes.write('"listUsersxx"', bytes.indexOf('"resolveUser"'), 'latin1');
      writeFileSync(path, bytes);
      await expect(withIndex(folder, () => undefined)).rejects.toThrow('Record 0 was altered');
    });
  });
});
