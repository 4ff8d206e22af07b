import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AuditBrokenError } from '../errors.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter, withReader } from '../testing/folder-log.testing.ts';

describe('a copy of a log', () => {
  it('ends with the checkpoint, is what a start accepts, and goes on', async () => {
    await inFolder((folder) => {
      const [from, to] = [join(folder, 'from'), join(folder, 'to')];
      mkdirSync(from);
      mkdirSync(to);
      const log = openWriter(from, { segmentBytes: 50_000 });
      appendMany(log, 600);
      const note = log.checkpoint();
      appendMany(log, 30);
      log.checkpoint();
      withReader(from, (reader) => {
        reader.copyTo(to, note);
      });
      log.close();
      copyFileSync(join(from, 'audit-key.pem'), join(to, 'audit-key.pem'));
      const again = openWriter(to);
      expect(again.size).toBe(600);
      appendMany(again, 10);
      again.close();
      withReader(to, (reader) => {
        expect([...reader.read(0, 610)].filter((item) => 'seq' in item)).toHaveLength(610);
      });
    });
  });

  it('takes ends that are held, and nothing else that lies beside them', async () => {
    await inFolder((folder) => {
      const [from, to] = [join(folder, 'from'), join(folder, 'to')];
      mkdirSync(to);
      mkdirSync(from);
      const log = openWriter(from);
      mkdirSync(join(from, 'audit/held'));
      writeFileSync(join(from, 'audit/held/audit-key.pem'), 'secret');
      writeFileSync(join(from, 'audit/held/10-0123456789abcdef'), 'torn');
      appendMany(log, 10);
      const note = log.checkpoint();
      withReader(from, (reader) => {
        reader.copyTo(to, note);
      });
      log.close();
      expect(readdirSync(join(to, 'audit/held'))).toEqual(['10-0123456789abcdef']);
    });
  });

  it('of a log that lacks what its checkpoint covers is refused', async () => {
    await inFolder((folder) => {
      const to = join(folder, 'to');
      mkdirSync(to);
      const log = openWriter(folder);
      appendMany(log, 10);
      const note = log.checkpoint().replace('\n10\n', '\n20\n');
      log.close();
      withReader(folder, (reader) => {
        expect(() => {
          reader.copyTo(to, note);
        }).toThrow(AuditBrokenError);
      });
    });
  });
});
