import { describe, expect, it } from '@jest/globals';
import { share } from '@caregate/seeded/seed';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  inFolder,
  Frontier,
  type NodeReader,
  consistencyProof,
  inclusionProof,
  leafHash,
} from '@caregate/audit-log/testing';
import { inFolder as inLogFolder } from './offline/open-log.ts';
import { openAuditLog } from './record/record-log.ts';
import { auditEntry, userIds } from './record/records.testing.ts';

interface Independent {
  readonly leafHash: typeof leafHash;
  readonly treeRoot: (leaves: readonly Buffer[]) => Buffer;
  readonly inclusionProof: (index: number, leaves: readonly Buffer[]) => Buffer[];
  readonly consistencyProof: (older: number, leaves: readonly Buffer[]) => Buffer[];
  readonly verifyExport: (
    lines: readonly string[],
    publicKey: string,
    oldNotes?: readonly string[],
  ) => Promise<[number, string]>;
}

// No import of a package: the verifier shares nothing with the service, not even a dependency.
const file = fileURLToPath(
  new URL('../../../../tools/audit-verifier/src/verify.mjs', import.meta.url),
);
const independent = {
  ...((await import(file)) as object),
  ...((await import(new URL('proofs.mjs', pathToFileURL(file)).href)) as object),
} as Independent;

const largest = 1024;
const leaves = Array.from({ length: largest }, (_, at) =>
  leafHash(Buffer.alloc(16, at % 251), Buffer.from(String(at))),
);

describe('ours and the independent verifier', () => {
  it('agree on roots and proofs at every size from 0 to 130, and at an eighth of those to 1,024', async () => {
    const sizes = Array.from({ length: largest + 1 }, (_, size) => size);
    const compareAt = new Set([...sizes.slice(0, 131), ...share(sizes, 8), largest]);
    const nodes = new Map<number, Buffer>();
    const keyOf = (level: number, index: number): number => level * 4096 + index;
    const read: NodeReader = (level, index) =>
      Promise.resolve(level === 0 ? leaves[index]! : nodes.get(keyOf(level, index))!);
    const tree = new Frontier();
    let compared = 0;
    for (let size = 0; size <= largest; size += 1) {
      const of = leaves.slice(0, size);
      if (compareAt.has(size)) {
        expectSame([tree.root()], [independent.treeRoot(of)], `root of ${String(size)}`);
        // Every place would be half a million proofs of a thousand hashes: the last, and one that wanders.
        const places = [size - 1, (7919 * 7919) % (size || 1)];
        for (const place of new Set(places.filter((at) => at >= 0 && at < size))) {
          expectSame(
            await inclusionProof(place, size, read),
            independent.inclusionProof(place, of),
            `leaf ${String(place)} of ${String(size)}`,
          );
          expectSame(
            await consistencyProof(place, size, read),
            independent.consistencyProof(place, of),
            `${String(place)} in ${String(size)}`,
          );
          compared += 1;
        }
      }
      const leaf = leaves[size];
      if (leaf !== undefined) {
        tree.appendText(leaf.toString('latin1'), (level, index, hash) =>
          nodes.set(keyOf(level, index), Buffer.from(hash, 'latin1')),
        );
      }
    }
    expect(compared).toBeGreaterThan(1.9 * compareAt.size);
  });

  it('agree on an export of a real log, and on one that was tampered with', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog({ dataDir: folder });
      for (let at = 0; at < 30; at += 1) {
        await log.record(auditEntry({ patients: userIds, clientIp: 'ümläut \u2028 "' }));
      }
      const old = await log.checkpoint();
      await log.record(auditEntry());
      await log.close();
      let text = '';
      await inLogFolder(folder, async (reader) => {
        const { checkpoint } = await reader.tree();
        for await (const piece of reader.ndjson(checkpoint)) {
          text += piece;
        }
      });
      const lines = text.trimEnd().split('\n');
      expect(lines.filter((line) => line.startsWith('{"seq"'))).toHaveLength(32);
      const { publicKey } = log;
      expect(await independent.verifyExport(lines, publicKey, [old])).toEqual([
        0,
        'Holds: 32 records and 1 old checkpoints',
      ]);
      const altered = lines.with(5, lines[5]!.replace('resolveUser', 'resolveUsed'));
      expect((await independent.verifyExport(altered, publicKey, [old]))[0]).not.toBe(0);
    });
  });
});

function expectSame(ours: readonly Buffer[], theirs: readonly Buffer[], what: string): void {
  if (ours.length !== theirs.length || ours.some((hash, at) => !hash.equals(theirs[at]!))) {
    throw new Error(`Different: ${what}`);
  }
}
