import { describe, expect, it } from '@jest/globals';
import { auditEntry, inFolder, userIds } from '../testing/audit-entry.testing.ts';
import { openWriter, withReader } from '../testing/folder-log.testing.ts';

describe('groups that are larger than what is read at once', () => {
  it.each([
    ['for one record', 120],
    ['for many records', 2500],
  ])('are found one after another, %s', async (_, records) => {
    await inFolder((folder) => {
      const log = openWriter(folder);
      for (let group = 0; group < 3; group += 1) {
        log.append(Array.from({ length: records }, () => auditEntry({ patients: [...userIds] })));
      }
      log.checkpoint();
      log.close();
      withReader(folder, (reader) => {
        expect(reader.size()).toBe(3 * records);
        for (let seq = records - 1; seq < 3 * records; seq += records) {
          expect(reader.entry(seq)).toBeDefined();
        }
        expect(reader.entry(records)).toBeDefined();
        const read = [...reader.read(0, 3 * records)];
        expect(read.filter((item) => 'seq' in item)).toHaveLength(3 * records);
      });
      openWriter(folder).close();
    });
  });
});
