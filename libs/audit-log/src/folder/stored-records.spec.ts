import { describe, expect, it } from '@jest/globals';
import type { Disk } from '../disk/disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { auditEntry, inFolder } from '../testing/audit-entry.testing.ts';
import { openWriter } from '../testing/folder-log.testing.ts';
import { logPaths } from './layout.ts';
import { StoredRecords } from './stored-records.ts';

const count = 400;
const up = Array.from({ length: count }, (_, seq) => seq);

/** Looks for these records one by one, and gives the bytes that were read for each. */
function bytesForEach(order: readonly number[]): Promise<number> {
  return inFolder((folder) => {
    const log = openWriter(folder);
    for (let n = 0; n < count; n += 1) log.append([auditEntry()]);
    const { logId } = log.identity;
    log.close();
    let bytes = 0;
    const disk: Disk = {
      ...nodeDisk,
      open: (path) => {
        const file = nodeDisk.open(path);
        const read: typeof file.read = (...asked) => {
          const found = file.read(...asked);
          bytes += found.length;
          return found;
        };
        return Object.assign(Object.create(file) as typeof file, {
          read,
          close: () => {
            file.close();
          },
        });
      },
    };
    const records = new StoredRecords(disk, logPaths(folder).records, logId);
    for (const seq of order) expect(records.groupOf(seq)).toMatchObject({ first: seq });
    records.close();
    return bytes / order.length;
  });
}

describe('records of a folder, each a group of its own', () => {
  it.each([
    ['from the last to the first, as a page shows them', up.toReversed()],
    ['from the first to the last, as leaves of the tree are hashed', up],
  ])(
    'are found without reading what lies between a remembered place and them: %s',
    async (_, order) => {
      expect(await bytesForEach(order)).toBeLessThan(8192);
    },
  );
});
