import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AuditEntry } from '../entry/audit-entry.ts';
import { parseBody, type RecordBody } from '../entry/record-body.ts';
import { logPaths } from '../folder/layout.ts';
import type { LogReader } from '../folder/log-reader.ts';
import { auditEntry, inFolder, userIds } from '../testing/audit-entry.testing.ts';
import { encoded, march, openWriter, withReader } from '../testing/folder-log.testing.ts';
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
  entries.forEach((entry, at) => log.append([encoded(log, entry, march + at)]));
  log.checkpoint();
  log.close();
}

async function withIndex<T>(
  folder: string,
  use: (index: LogIndex, reader: LogReader) => T | Promise<T>,
): Promise<T> {
  return await withReader(folder, async (reader) => {
    const index = new LogIndex(logPaths(folder).index, reader);
    try {
      await index.catchUp();
      return await use(index, reader);
    } finally {
      index.close();
    }
  });
}

function bodyOf(reader: LogReader, seq: number): RecordBody {
  return parseBody(String(reader.entry(seq)?.subarray(16)));
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
          { numRuns: 500 },
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

  it.each<[string, (file: string) => void]>([
    [
      'deleted',
      (file) => {
        rmSync(file);
      },
    ],
    [
      'overwritten with something else',
      (file) => {
        writeFileSync(file, 'x'.repeat(8192));
      },
    ],
    ['that of another log', () => undefined],
  ])('is made again when it was %s', async (what, damage) => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry(), auditEntry()]);
      await withIndex(folder, () => undefined);
      damage(logPaths(folder).index);
      if (what === 'that of another log') {
        rmSync(join(folder, 'audit-key.pem'));
        for (const name of ['log', 'checkpoint', 'records', 'tile']) {
          rmSync(join(folder, 'audit', name), { recursive: true, force: true });
        }
        write(folder, [auditEntry({ operation: 'other' }), auditEntry()]);
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

  it('forgets patients of records that were erased', async () => {
    await inFolder(async (folder) => {
      const log = openWriter(folder);
      log.append([encoded(log, auditEntry())]);
      log.append([encoded(log, auditEntry(), Date.UTC(2026, 4, 1))]);
      log.checkpoint();
      log.close();
      await withIndex(folder, (index) => {
        expect(index.find({ patient: userIds[0] }, all)).toEqual([0, 1]);
      });
      rmSync(join(folder, 'audit/records/000000000000000'));
      await withIndex(folder, (index) => {
        expect(index.find({ patient: userIds[0] }, all)).toEqual([1]);
      });
    });
  });
});

describe('the indexer', () => {
  it('has what the log had when it was asked', async () => {
    await inFolder(async (folder) => {
      write(folder, [auditEntry(), auditEntry()]);
      const indexer = new Indexer(folder);
      expect(await indexer.catchUp()).toBe(2);
      write(folder, [auditEntry()]);
      expect(await indexer.catchUp()).toBe(3);
      await indexer.close();
      expect(existsSync(logPaths(folder).index)).toBe(true);
    });
  });
});
