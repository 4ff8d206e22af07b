import { openSync, readFileSync, writeSync, closeSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { nodeDisk } from '../disk/node-disk.ts';
import { hashEntries } from '../folder/group.ts';
import { logPaths } from '../folder/layout.ts';
import { listSegments } from '../folder/segments.ts';
import { type LogIdentity, VerifierKey } from '../note/checkpoint.ts';
import { auditEntry, inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter } from '../testing/folder-log.testing.ts';
import { FolderWalk, type Chunk } from './folder-walk.ts';
import { GroupsAhead } from './groups-ahead.ts';
import { verifyFolderOn } from './verify-folder.ts';
import type { VerifyReport } from './verify-log.ts';

/** 28 MiB, so that threads look at most of it. */
function fill(folder: string): { identity: LogIdentity; size: number } {
  const log = openWriter(folder, { segmentBytes: 8 * 2 ** 20 });
  const details = { text: 'x'.repeat(40_000) };
  for (let group = 0; group < 70; group += 1) {
    log.append(Array.from({ length: 10 }, () => auditEntry({ details })));
    appendMany(log, 10);
  }
  log.checkpoint();
  const { size, identity } = log;
  log.close();
  return { identity, size };
}

function flip(path: string, at: number): void {
  const byte = Buffer.of((readFileSync(path)[at] as number) ^ 1);
  const file = openSync(path, 'r+');
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}

describe('looking at groups in threads', () => {
  it('gives the hashes of all leaves, in order, and the bytes back', async () => {
    await inFolder(async (folder) => {
      const { size, identity } = fill(folder);
      const walk = (): FolderWalk => new FolderWalk(nodeDisk, logPaths(folder), identity.logId);
      const expected = leavesOf([...walk().chunks()]);
      const hashing = walk();
      let hashed = '';
      let records = 0;
      for await (const chunk of new GroupsAhead(identity, '', 0).chunks(hashing.chunks())) {
        hashed += chunk.found?.leaves ?? '';
        expect(chunk.found?.wrong).toEqual([]);
        for (const { entries } of hashing.groupsOf(chunk)) {
          records += entries.length;
        }
      }
      expect(records).toBe(size);
      expect(hashed === expected).toBe(true);
    });
  });

  it('says why a thread failed', async () => {
    await inFolder(async (folder) => {
      const log = openWriter(folder);
      appendMany(log, 10);
      const identity = { ...log.identity, verifierKey: 'none' };
      log.close();
      const walk = new FolderWalk(nodeDisk, logPaths(folder), identity.logId);
      const chunks = new GroupsAhead(identity, '', 0).chunks(walk.chunks());
      await expect(chunks.next()).rejects.toThrow('Not a valid public key of a log');
    });
  });

  it('finds what was changed far behind, and names it', async () => {
    await inFolder(async (folder) => {
      const { identity, size } = fill(folder);
      const verify = (): Promise<VerifyReport> =>
        verifyFolderOn(nodeDisk, folder, { key: VerifierKey.parse(identity.verifierKey) });
      expect((await verify()).size).toBe(size);
      const segments = listSegments(nodeDisk, logPaths(folder).records).map(({ path }) => path);
      const [segment = '', last = ''] = segments.slice(-2);
      flip(segment, 700_000);
      await expect(verify()).rejects.toThrow(/^Record \d+ was altered$/u);
      flip(segment, 700_000);
      flip(last, readFileSync(last).length - 1);
      await expect(verify()).rejects.toThrow(
        `The seal of the group that begins with record ${size - 10} has no valid signature`,
      );
    });
  });
});

function leavesOf(chunks: readonly Chunk[]): string {
  let leaves = '';
  for (const { bytes } of chunks) {
    for (let at = 0; at < bytes.length;) {
      const group = bytes.subarray(at, at + bytes.readUInt32BE(at + 4));
      leaves += hashEntries(group).join('');
      at += group.length;
    }
  }
  return leaves;
}
