import { appendFileSync, cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nodeDisk } from '../disk/node-disk.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter } from '../testing/folder-log.testing.ts';
import { verifyFolderOn } from '../verify/verify-folder.ts';
import type { VerifyReport } from '../verify/verify-log.ts';

function segments(folder: string): string[] {
  const records = join(folder, 'audit/records');
  return readdirSync(records).map((name) => join(records, name));
}

function verify(folder: string): Promise<VerifyReport> {
  const { verifier_key: key } = JSON.parse(readFileSync(join(folder, 'audit/log'), 'utf8')) as {
    verifier_key: string;
  };
  return verifyFolderOn(nodeDisk, folder, { key: VerifierKey.parse(key) });
}

/** A log of 57 records whose process was killed: a copy of what was on disk then. */
function killed(folder: string): string {
  const left = join(folder, 'left');
  const log = openWriter(folder);
  appendMany(log, 57);
  log.checkpoint();
  cpSync(join(folder, 'audit'), join(left, 'audit'), { recursive: true });
  cpSync(join(folder, 'audit-key.pem'), join(left, 'audit-key.pem'));
  log.close();
  return left;
}

describe('room that is reserved for records', () => {
  it('is there while the log is written, and is given back', async () => {
    await inFolder((folder) => {
      const log = openWriter(folder);
      appendMany(log, 20);
      const [segment = ''] = segments(folder);
      expect(readFileSync(segment).at(-1)).toBe(0);
      const before = readFileSync(segment).length;
      appendMany(log, 10);
      expect(readFileSync(segment)).toHaveLength(before);
      log.close();
      expect(readFileSync(segment).length).toBeLessThan(before);
    });
  });

  it('is nothing to a verifier and a start where a process was killed', async () => {
    await inFolder(async (folder) => {
      const left = killed(folder);
      expect(readFileSync(String(segments(left)[0])).at(-1)).toBe(0);
      expect((await verify(left)).size).toBe(57);
      openWriter(left).close();
      expect(readdirSync(join(left, 'audit'))).not.toContain('held');
      expect(readFileSync(String(segments(left)[0]))).toEqual(
        readFileSync(String(segments(folder)[0])),
      );
    });
  });

  it('ends a torn group, which is set aside without it', async () => {
    await inFolder((folder) => {
      const left = killed(folder);
      const [segment = ''] = segments(left);
      const bytes = readFileSync(segment);
      const end = readFileSync(String(segments(folder)[0])).length;
      const torn = Buffer.from('CGRP\0\0\x20\0 and a part of it');
      torn.copy(bytes, end);
      writeFileSync(segment, bytes);
      const log = openWriter(left);
      expect(log.size).toBe(58);
      log.close();
      const [held = ''] = readdirSync(join(left, 'audit/held'));
      expect(readFileSync(join(left, 'audit/held', held))).toEqual(torn);
    });
  });

  it('is damage in a file that is not the last, and hides no byte behind it', async () => {
    await inFolder(async (folder) => {
      const log = openWriter(folder, { segmentBytes: 5000 });
      appendMany(log, 57);
      log.close();
      const [first = '', second = ''] = segments(folder);
      expect((await verify(folder)).size).toBe(57);
      const was = readFileSync(first);
      appendFileSync(first, Buffer.alloc(100));
      await expect(verify(folder)).rejects.toThrow('The file of records is damaged');
      writeFileSync(first, was);
      const last = segments(folder).at(-1) ?? second;
      appendFileSync(last, Buffer.concat([Buffer.alloc(100), Buffer.of(1)]));
      await expect(verify(folder)).rejects.toThrow('The log ends with 101 bytes');
    });
  });

  it.each([
    ['with any byte', (last: number) => last !== 0],
    ['with a zero', (last: number) => last === 0],
  ])('hides no group that was sealed once, where its seal ends %s', async (_, isMeant) => {
    const attempt = (folder: string): boolean => {
      const log = openWriter(folder);
      appendMany(log, 20);
      log.close();
      const [segment = ''] = segments(folder);
      const end = readFileSync(segment);
      const group = end.subarray(end.lastIndexOf('CGRP'));
      appendFileSync(segment, Buffer.concat([Buffer.alloc(64), group]));
      expect(() => openWriter(folder)).toThrow('after record 19');
      return isMeant(Number(end.at(-1)));
    };
    // One signature in sixteen ends with a zero.
    for (let isTried = false; !isTried;) isTried = await inFolder(attempt);
  });
});
