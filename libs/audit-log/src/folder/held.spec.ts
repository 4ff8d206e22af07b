import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, bodiesIn, openWriter } from '../testing/folder-log.testing.ts';

const bytes = Buffer.from('the end of a log that power was taken from');
const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);

function nameOf(size: number, of = digest): string {
  return `${size}-${of}.unrecorded`;
}

/** A log of 20 records, beside which somebody puts something into `held`. */
async function planted(
  plant: (held: string) => unknown,
  use: (folder: string) => void,
): Promise<void> {
  await inFolder((folder) => {
    const log = openWriter(folder);
    appendMany(log, 20);
    log.close();
    const held = join(folder, 'audit/held');
    mkdirSync(held);
    plant(held);
    openWriter(folder).close();
    use(folder);
  });
}

function put(name: string): (held: string) => void {
  return (held) => {
    writeFileSync(join(held, name), bytes);
  };
}

function makeFolder(held: string): void {
  mkdirSync(join(held, nameOf(20)));
}

function pipe(held: string): void {
  execFileSync('mkfifo', [join(held, nameOf(20))]);
}

describe('what stands in held', () => {
  it('and was set aside by a start that was interrupted is recorded by the next, once', async () => {
    await planted(put(nameOf(20)), (folder) => {
      const held = join(folder, 'audit/held');
      expect(readdirSync(held)).toEqual([`20-${digest}`]);
      // Killed between the record and the new name.
      writeFileSync(join(held, nameOf(20)), bytes);
      openWriter(folder).close();
      expect(readdirSync(held)).toEqual([`20-${digest}`]);
      expect(bodiesIn(folder)).toHaveLength(21);
      expect(bodiesIn(folder)[20]).toMatchObject({
        operation: 'tornGroup',
        details: { bytes: bytes.length },
      });
    });
  });

  it.each<[string, (held: string) => unknown]>([
    ['of an earlier place in the log', put(nameOf(7))],
    ['of a later place in the log', put(nameOf(400))],
    ['with other bytes than it names', put(nameOf(20, '0123456789abcdef'))],
    ['under another name', put('anything.unrecorded')],
    ['that is a folder', makeFolder],
    ...(process.platform === 'win32'
      ? []
      : [['that is a pipe', pipe] satisfies [string, typeof pipe]]),
  ])('%s is nothing that a start set aside: it is left alone', async (_, plant) => {
    await planted(plant, (folder) => {
      const names = readdirSync(join(folder, 'audit/held'));
      expect(names.every((name) => name.endsWith('.unrecorded'))).toBe(true);
      expect(bodiesIn(folder)).toHaveLength(20);
    });
  });

  it('grows the log by a few records at most, however much is planted', async () => {
    await planted(
      (held) => {
        for (let at = 0; at < 100; at += 1) {
          const one = Buffer.from(`planted ${at}`);
          const of = createHash('sha256').update(one).digest('hex').slice(0, 16);
          writeFileSync(join(held, nameOf(20, of)), one);
        }
      },
      (folder) => {
        openWriter(folder).close();
        expect(bodiesIn(folder)).toHaveLength(36);
      },
    );
  });
});
