import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { KeptCheckpoints, keptFolder } from './kept-checkpoints.ts';

const logId = '0a1b2c3d4e5f';

describe('checkpoints that are kept beside the key', () => {
  it('say once that they cannot be kept, why, and once that they are again', async () => {
    await inFolder(async (dataDir) => {
      const told: [boolean, string][] = [];
      const kept = new KeptCheckpoints(dataDir, (...change) => told.push(change));
      await kept.keep(logId, 'first');
      expect(told).toEqual([]);
      const folder = join(dataDir, keptFolder);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'a file in its place');
      await kept.keep(logId, 'second');
      await kept.keep(logId, 'third');
      expect(told).toEqual([
        [false, expect.stringContaining(`cannot be kept in ${folder} (EEXIST)`)],
      ]);
      rmSync(folder);
      mkdirSync(folder);
      await kept.keep(logId, 'fourth');
      await kept.keep(logId, 'fifth');
      expect(told.slice(1)).toEqual([[true, expect.stringContaining('again')]]);
      expect(readFileSync(join(folder, logId), 'utf8')).toBe('fifth');
    });
  });
});
