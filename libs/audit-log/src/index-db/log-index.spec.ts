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
import type { AuditEntry } from '../entry/audit-entry.ts';
import { parseBody, type RecordBody } from '../entry/record-body.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { logPaths } from '../folder/layout.ts';
import type { LogReader } from '../folder/log-reader.ts';
import { auditEntry, inFolder, userIds } from '../testing/audit-entry.testing.ts';
import { newRecord, march, openWriter, withReader } from '../testing/folder-log.testing.ts';
import { Indexer } from './indexer.ts';
import { LogIndex } from './log-index.ts';
import { isMatch, type RecordFilter } from './record-filter.ts';

const teams = ['team a', 'team b'];
const actors = ['key 1', 'key 2'];
const operations = ['resolveUser', 'labOrderResult', 'createKey'];

const someEntry: fc.Arbitrary<AuditEntry> = fc
  .record({
    teamId: fc.constantFrom(...teams, null),
    actorId: fc.constantFrom(...actors),
    operation: fc.constantFrom(...operations),
    decision: fc.constantFrom('allowed' as const, 'denied' as const),
    patients: fc.subarray([...userIds]),
    asked: fc.constantFrom(undefined, ...userIds),
  })
  .map(({ asked, ...changes }) =>
    auditEntry({ ...changes, ...(asked !== undefined && { details: { asked_user_id: asked } }) }),
  );

const someFilter: fc.Arbitrary<RecordFilter> = fc.record(
  {
    fromUs: fc.constantFrom(march * 1000, march * 1000 + 20_000),
    toUs: fc.constantFrom(march * 1000 + 30_000, march * 1000 + 60_000),
    team: fc.constantFrom(...teams),
    actor: fc.constantFrom(...actors),
    operations: fc.subarray(operations),
    decision: fc.constantFrom('allowed' as const, 'denied' as const),
    patient: fc.constantFrom(...userIds),
    about: fc.constantFrom(...userIds),
  },
  { requiredKeys: [] },
);

function write(folder: string, entries: readonly AuditEntry[]): void {
  const log = openWriter(folder);
  entries.forEach((entry, at) => log.append([newRecord(entry, march + at)]));
  log.checkpoint();
  log.close();
}

async function withIndex<T>(
  folder: string,
  use: (index: LogIndex, reader: LogReader) => T | Promise<T>,
): Promise<T> {
  return await withReader(folder, async (reader) => {
    const index = new LogIndex(logPaths(folder).index, reader, nodeDisk.read(logPaths(folder).key));
    try {
      await index.catchUp();
      return await use(index, reader);
    } finally {
      index.close();
    }
  });
}

function overwriteWhole(file: string): void {
  writeFileSync(file, 'x'.repeat(8192));
}

function bodyOf(reader: LogReader, seq: number): RecordBody {
  return parseBody(String(reader.entry(seq).subarray(16)));
}

const all = { from: 0, below: 1000, limit: 1000, order: 'asc' } as const;

describe('the index of a log', () => {
  it('finds what a scan of the log finds, whatever is asked', async () => {
    await inFolder(async (folder) => {
      write(folder, fc.sample(someEntry, { numRuns: 60, seed: 15 }));
      await withIndex(folder, (index, reader) => {
        const bodies = Array.from({ length: 60 }, (_, seq) => bodyOf(reader, seq));
        fc.assert(
          fc.property(someFilter, ({ patient, about, ...others }) => {
            const filter = patient === undefined ? { ...others, about } : { ...others, patient };
            const scanned = bodies.filter((body) => isMatch(filter, body)).map(({ seq }) => seq);
            expect(index.find(filter, all)).toEqual(scanned);
            expect(index.find(filter, { ...all, order: 'desc', limit: 3 })).toEqual(
              scanned.slice(-3).reverse(),
            );
          }),
          { numRuns: 200 },
        );
      });
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
        expect(index.find({ operations: ['second'] }, all)).toEqual([1]);
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
        expect(index.find({ operations: ['other'] }, all)).toEqual(
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
      const log = openWriter(folder);
      log.append([newRecord(auditEntry())]);
      log.append([newRecord(auditEntry(), Date.UTC(2026, 4, 1))]);
      log.checkpoint();
      log.close();
      await withIndex(folder, () => undefined);
      rmSync(join(folder, 'audit/records/000000000000000'));
      await withIndex(folder, async (index) => {
        expect(index.find({ patient: userIds[0] }, all)).toEqual([0, 1]);
        await expect(index.rebuild()).rejects.toThrow('Record 0 is missing or damaged');
      });
    });
  });
});

/** SQL of an expression: the marks of a posting without those of record 4, or with others in their place. */
const without4 = '(select json_group_array(value) from json_each(records) where value / 2 <> 4)';
const instead4 = (mark: string): string =>
  `(select json_group_array(iif(value / 2 = 4, ${mark}, value)) from json_each(records))`;

/** What somebody does to the index who has not the key of the log, and wants a record not to be found. */
const changes: readonly string[] = [
  'delete from record where seq = 4',
  `update posting set records = ${without4}`,
  `delete from record where seq = 4; update posting set records = ${without4}`,
  "update record set team_id = 'another' where seq = 4",
  "update record set operation = 'other', decision = 'denied' where seq = 4",
  'update record set recorded_at_us = 0 where seq = 4',
  `update posting set records = ${instead4('8')}`,
  `update posting set user_id = upper(user_id) where user_id = '${userIds[0]}'`,
  `delete from posting where user_id = '${userIds[0]}'`,
  `update posting set records = ${instead4('11')} where user_id = '${userIds[0]}'`,
  // What does not lie in a row's span is not found there.
  'update posting set last = 3',
  'update posting set first = 5',
  "update posting set records = '[' where user_id > '7'",
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
    expect(index.find({ patient: userIds[0] }, all)).toEqual([0, 2, 4, 6, 8]);
    expect(index.find({ patient: userIds[1] }, all)).toContain(4);
    const { teamId, operation, decision } = auditEntry();
    const filter = { team: teamId ?? '', operations: [operation], decision, fromUs: march };
    expect(index.find(filter, all)).toHaveLength(10);
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
      const indexer = new Indexer(folder);
      await indexer.catchUp();
      tamper();
      expect(await indexer.catchUp()).toBe(10);
      await expectWhole(folder);
      await indexer.close();
      tamper();
      const opened = new Indexer(folder);
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
      const indexer = new Indexer(folder);
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
        expect(index.find({ operations: ['resolveUser'] }, all)).toHaveLength(10);
      });
    });
  });

  it('is not read again for what its own process writes', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry()]);
      await withReader(folder, async (reader) => {
        const [file, pem] = [logPaths(folder).index, nodeDisk.read(logPaths(folder).key)];
        const index = new LogIndex(file, reader, pem);
        await index.catchUp();
        write(folder, [auditEntry(), auditEntry()]);
        await index.catchUp();
        // The service reads it on a connection of its own.
        const other = new LogIndex(file, reader, pem);
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
        const index = new LogIndex(logPaths(folder).index, reader, undefined);
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
