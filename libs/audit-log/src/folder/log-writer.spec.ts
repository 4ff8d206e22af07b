import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { nodeDisk } from '../disk/node-disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.testing.ts';
import { ProvenTree } from '../log/proven-tree.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry, inFolder, parsed } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter, withReader, writeSigned } from '../testing/folder-log.testing.ts';
import { Frontier, leafHash, rootAt, verifyConsistency, verifyInclusion } from '../tree/tree.ts';
import { withoutZeros } from './group.ts';
import { logPaths } from './layout.ts';
import { LogReader } from './log-reader.ts';
import { LogRefusedError, type Refusal } from './log-refused.ts';

function refusalOf(dataDir: string): Refusal | 'opened' {
  try {
    openWriter(dataDir).close();
    return 'opened';
  } catch (error) {
    if (error instanceof LogRefusedError) {
      return error.kind;
    }
    throw error;
  }
}

function lastSegment(dataDir: string): string {
  const records = join(dataDir, 'audit', 'records');
  return join(records, readdirSync(records).sort().at(-1) as string);
}

/** The texts of all records, whose tree is that of the log. */
function textsOf(dataDir: string): string[] {
  return withReader(dataDir, (reader) => {
    const tree = new Frontier();
    const texts: string[] = [];
    for (const item of reader.read(0, reader.size())) {
      if ('signature' in item) {
        expect([item.size, item.root]).toEqual([tree.size, tree.root()]);
        continue;
      }
      const { entry } = item;
      const leaf = leafHash(entry);
      expect([item.seq, item.leafHash]).toEqual([tree.size, leaf]);
      tree.append(leaf);
      texts.push(entry.toString('utf8', 16));
    }
    expect(reader.withNodes((read) => rootAt(tree.size, read))).toEqual(tree.root());
    return texts;
  });
}

describe('a log on a folder', () => {
  it('has what was appended, in order, after it is opened again', async () => {
    await inFolder((folder) => {
      const log = openWriter(folder);
      expect(log.append([auditEntry(), auditEntry({ operation: 'second' })])).toBe(0);
      expect(log.append([auditEntry({ operation: 'third' })])).toBe(2);
      expect(log.append([])).toBe(3);
      log.close();
      openWriter(folder).close();
      const bodies = textsOf(folder).map(parsed);
      expect(bodies.map(({ operation }) => operation)).toEqual(['resolveUser', 'second', 'third']);
    });
  });

  it('keeps the full blocks of its tree, and proves each record by them', async () => {
    await inFolder(async (folder) => {
      writeSigned(folder, 700);
      expect(statSync(join(folder, 'audit/nodes/0/1')).size).toBe(8192);
      expect(existsSync(join(folder, 'audit/nodes/0/2'))).toBe(false);
      const reader = new LogReader(nodeDisk, folder);
      try {
        const { size, root } = VerifierKey.parse(reader.identity().verifierKey).open(
          reader.checkpoint(),
        );
        expect([size, root]).toEqual([700, reader.withNodes((read) => rootAt(700, read))]);
        const tree = new ProvenTree(reader, { size, root });
        for (const seq of [0, 255, 256, 511, 512, 699]) {
          const { hashes, leafHash: leaf } = await tree.inclusion(seq);
          expect(verifyInclusion(leaf, seq, size, hashes, root)).toBe(true);
          await tree.requireEntries([{ seq, entry: reader.entry(seq) }]);
        }
        const { hashes, olderRoot } = await tree.consistency(300);
        expect(verifyConsistency(300, size, hashes, olderRoot, root)).toBe(true);
        await expect(tree.inclusion(0, 701)).rejects.toThrow(RangeError);
        await expect(tree.inclusion(700)).rejects.toThrow(RangeError);
      } finally {
        reader.close();
      }
    });
  });

  it('signs nothing and takes nothing after an append that failed, until it is opened again', () => {
    const disk = new SimulatedDisk({ seed });
    disk.makeFolder('/data');
    const options = { disk, dataDir: '/data' };
    const log = openWriter('/data', options);
    log.append([auditEntry()]);
    const signed = log.checkpoint();
    disk.failing = 10_000;
    expect(() => log.append([auditEntry()])).toThrow(/simulated|EIO|ENOSPC/u);
    disk.failing = 0;
    expect(() => log.checkpoint()).toThrow('must be opened again');
    expect(() => log.append([auditEntry()])).toThrow('must be opened again');
    log.close();
    expect(disk.read(logPaths('/data').checkpoint)?.toString()).toBe(signed);
    const again = openWriter('/data', options);
    again.append([auditEntry()]);
    again.checkpoint();
    again.close();
  });

  it('begins a new segment past its size', async () => {
    await inFolder((folder) => {
      const log = openWriter(folder, { segmentBytes: 20_000 });
      appendMany(log, 60);
      log.close();
      const firsts = readdirSync(join(folder, 'audit/records')).map(Number);
      expect(firsts.length).toBeGreaterThan(1);
      expect(textsOf(folder)).toHaveLength(60);
      const again = openWriter(folder);
      again.append([auditEntry()]);
      again.close();
      expect(readdirSync(join(folder, 'audit/records')).map(Number)).toEqual(firsts);
      expect(textsOf(folder)).toHaveLength(61);
    });
  });

  it('is read while it is written', async () => {
    await inFolder((folder) => {
      const log = openWriter(folder);
      withReader(folder, (reader) => {
        for (let round = 1; round <= 60; round += 1) {
          appendMany(log, 10);
          expect(reader.size()).toBe(10 * round);
          expect(reader.entry(10 * round - 1)).toBeDefined();
          expect(() => reader.entry(10 * round)).toThrow('is missing');
          expect(reader.withNodes((read) => rootAt(10 * round, read))).toHaveLength(32);
        }
        log.checkpoint();
        expect([...reader.read(0, 600)]).toHaveLength(660);
      });
      log.close();
    });
  });
});

describe('a start', () => {
  it('goes on from a torn last group at every byte, keeps the bytes and says so', async () => {
    await inFolder((folder) => {
      const whole = join(folder, 'whole');
      mkdirSync(whole);
      writeSigned(whole, 20);
      const before = statSync(lastSegment(whole)).size;
      const log = openWriter(whole);
      log.append([auditEntry(), auditEntry()]);
      log.close();
      const after = statSync(lastSegment(whole)).size;
      for (let length = before + 1; length < after; length += 37) {
        const torn = join(folder, String(length));
        cpSync(whole, torn, { recursive: true });
        truncateSync(lastSegment(torn), length);
        // Zeros at its end are room.
        const bytes = withoutZeros(readFileSync(lastSegment(torn)).subarray(before));
        expect(refusalOf(torn)).toBe('opened');
        const [held] = readdirSync(join(torn, 'audit/held')) as [string];
        expect(readFileSync(join(torn, 'audit/held', held))).toEqual(bytes);
        const bodies = textsOf(torn).map(parsed);
        expect(bodies).toHaveLength(21);
        expect(bodies.at(-1)).toMatchObject({
          operation: 'tornGroup',
          details: {
            bytes: bytes.length,
            sha256: createHash('sha256').update(bytes).digest('hex'),
          },
        });
      }
    });
  });

  it('goes on from a last group that lost its first bytes, or its seal', async () => {
    await inFolder((folder) => {
      writeSigned(folder, 20);
      const before = statSync(lastSegment(folder)).size;
      for (const [at, round] of [
        [before, 1],
        [-64, 2],
      ] as const) {
        const log = openWriter(folder);
        const start = statSync(lastSegment(folder)).size;
        log.append([auditEntry()]);
        log.close();
        const bytes = readFileSync(lastSegment(folder));
        bytes.fill(0, at < 0 ? bytes.length + at : start, at < 0 ? bytes.length : start + 16);
        writeFileSync(lastSegment(folder), bytes);
        expect(refusalOf(folder)).toBe('opened');
        expect(textsOf(folder)).toHaveLength(20 + round);
      }
    });
  });

  it('is refused where a file of records is missing, from the first on', async () => {
    await inFolder((folder) => {
      const whole = join(folder, 'whole');
      mkdirSync(whole);
      const log = openWriter(whole, { segmentBytes: 50_000 });
      appendMany(log, 400);
      log.checkpoint();
      log.close();
      const segments = readdirSync(join(whole, 'audit/records'));
      expect(segments.length).toBeGreaterThan(3);
      segments.slice(0, -1).forEach((name) => {
        const broken = join(folder, name);
        cpSync(whole, broken, { recursive: true });
        rmSync(join(broken, 'audit/records', name));
        expect(() => openWriter(broken)).toThrow(/altered or damaged: .* is missing/u);
      });
    });
  });

  it.each<[Refusal, (folder: string) => void]>([
    ['unsealed_end', appendTwoAndBreak],
    ['unsealed_end', appendBeginnings],
    ['unsealed_end', repeatSegment],
    ['checkpoint_missing', remove('audit/checkpoint')],
    ['checkpoint_wrong', flipIn('audit/checkpoint', 3)],
    ['checkpoint_smaller', rollBackCheckpoint],
    ['altered', remove('audit/records/000000000000000')],
    ['altered', truncateToGroup],
    ['altered', cutTo9000],
    ['altered', flipIn('audit/records/000000000000000', 3)],
    ['altered', flipIn('audit/nodes/0/0', 100)],
    ['key_without_log', remove('audit')],
    ['log_without_key', remove('audit-key.pem')],
    ['log_file_damaged', flipIn('audit/log', 3)],
    ['wrong_key', useOtherKey],
  ])('refuses: %s', async (kind, damage) => {
    await inFolder((folder) => {
      writeSigned(folder, 300);
      damage(folder);
      expect(refusalOf(folder)).toBe(kind);
      // Nothing was changed: it is refused again, and says how a person goes on.
      expect(() => openWriter(folder)).toThrow(/caregate audit new-log --reason/u);
      expect(refusalOf(folder)).toBe(kind);
    });
  });

  it('refuses a log whose blocks are whole and whose records are not', async () => {
    await inFolder((folder) => {
      writeSigned(folder, 256);
      truncateToGroup(folder);
      expect(refusalOf(folder)).toBe('checkpoint_larger');
      rmSync(lastSegment(folder));
      expect(refusalOf(folder)).toBe('checkpoint_larger');
    });
  });

  it('finishes a log whose process ended after its key was durable', async () => {
    await inFolder((folder) => {
      writeSigned(folder, 1);
      writeFileSync(join(folder, 'audit/unfinished'), '');
      expect(refusalOf(folder)).toBe('opened');
      expect(textsOf(folder)).toHaveLength(1);
      expect(existsSync(join(folder, 'audit/unfinished'))).toBe(false);
    });
  });

  it('does not take a log whose key was deleted for an unfinished one', async () => {
    await inFolder((folder) => {
      writeSigned(folder, 3);
      writeFileSync(join(folder, 'audit/unfinished'), '');
      rmSync(join(folder, 'audit-key.pem'));
      expect(refusalOf(folder)).toBe('log_without_key');
      rmSync(join(folder, 'audit/log'));
      expect(refusalOf(folder)).toBe('log_without_key');
    });
  });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
}

function remove(name: string): (folder: string) => void {
  return (folder) => {
    rmSync(join(folder, name), { recursive: true });
  };
}

function flipIn(name: string, at: number): (folder: string) => void {
  return (folder) => {
    flip(join(folder, name), at);
  };
}

function cutTo9000(folder: string): void {
  truncateSync(lastSegment(folder), 9000);
}

function repeatSegment(folder: string): void {
  appendFileSync(lastSegment(folder), readFileSync(lastSegment(folder)));
}

/** Beginnings of groups, each as long as what is left: a start that read each of them would take its time. */
function appendBeginnings(folder: string): void {
  const units = 10_000;
  const end = Buffer.alloc(21 * units, 1);
  for (let at = 0; at < end.length; at += 21) {
    end.write('CGRP', at);
    end.writeUInt32BE(end.length - at, at + 4);
  }
  appendFileSync(lastSegment(folder), end);
}

/** Two groups after the checkpoint; the first of them is changed. */
function appendTwoAndBreak(folder: string): void {
  const start = statSync(lastSegment(folder)).size;
  const log = openWriter(folder);
  log.append([auditEntry()]);
  log.append([auditEntry()]);
  log.close();
  flip(lastSegment(folder), start + 60);
}

function rollBackCheckpoint(folder: string): void {
  const older = readFileSync(join(folder, 'audit/checkpoint'));
  for (const count of [10, 10]) {
    const log = openWriter(folder);
    appendMany(log, count);
    log.checkpoint();
    log.close();
  }
  writeFileSync(join(folder, 'audit/checkpoint'), older);
}

/** Cuts whole groups off that the checkpoint covers. */
function truncateToGroup(folder: string): void {
  const bytes = readFileSync(lastSegment(folder));
  truncateSync(lastSegment(folder), bytes.lastIndexOf('CGRP'));
}

function useOtherKey(folder: string): void {
  const other = join(folder, 'other');
  mkdirSync(other);
  openWriter(other).close();
  copyFileSync(join(other, 'audit-key.pem'), join(folder, 'audit-key.pem'));
}
