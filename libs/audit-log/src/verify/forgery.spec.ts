import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseVerifierKey } from '../note/checkpoint.ts';
import { waysInTurn } from '../testing/by-turns.testing.ts';
import { seededDice } from '../testing/dice.testing.ts';
import { Frontier, leafHash } from '../tree/tree.ts';
import { dataDir, diskOf, Forger, openOn, record } from './forged-log.testing.ts';
import { forgeries } from './forgeries.testing.ts';
import { areFound, keptLog } from './forgery.testing.ts';
import type { Kept } from './judge.testing.ts';
import { verifyFolder } from './verify-folder.ts';

let kept: Kept;
beforeAll(async () => {
  kept = await keptLog;
});

areFound(waysInTurn('files', Object.keys(forgeries)), 4);

describe('a log that is hashed anew by somebody without its key', () => {
  it('would pass where seals are skipped', () => {
    const forger = new Forger(kept.states, kept.other, seededDice(3));
    const all = forger.segments();
    const { groups } = all.at(-1)!;
    const last = groups.at(-1)!;
    groups[groups.length - 1] = { ...last, entries: last.entries.slice(0, -1) };
    forger.rebuild(all);
    const tree = new Frontier();
    const roots = forger.segments().flatMap((segment) =>
      segment.groups.map(({ entries, seal }) => {
        entries.forEach((entry) => {
          tree.append(leafHash(entry));
        });
        return tree.root().equals(seal.root) && tree.size === seal.size;
      }),
    );
    expect(roots).not.toContain(false);
  });
});

describe('verification', () => {
  it('holds for a log that nobody touched, and says what it checked', async () => {
    const { files, checkpoint, verifierKey: key } = kept.last;
    const options = { key: parseVerifierKey(key), outside: checkpoint };
    const report = await verifyFolder(diskOf(files), dataDir, options);
    expect(report).toMatchObject({ size: 312, seals: 39, checkpoints: 2 });
    expect(checkpoint).toContain(report.root.toString('base64'));
    for (const state of kept.states) {
      await verifyFolder(diskOf(files), dataDir, { ...options, outside: state.checkpoint });
    }
  });

  it('names the record that was changed', async () => {
    const forger = new Forger(kept.states, kept.other, seededDice(1));
    const all = forger.segments();
    const { entries } = all[0]!.groups[2]!;
    entries[5]![40]! ^= 1;
    forger.write(all);
    const key = parseVerifierKey(kept.last.verifierKey);
    await expect(verifyFolder(diskOf(forger.files), dataDir, { key })).rejects.toMatchObject({
      breach: 'altered',
      seq: 21,
    });
  });

  it('names a log that is gone with its key, to whoever kept a checkpoint', async () => {
    const key = parseVerifierKey(kept.last.verifierKey);
    const outside = kept.last.checkpoint;
    await expect(verifyFolder(diskOf(new Map()), dataDir, { key, outside })).rejects.toMatchObject({
      breach: 'truncated',
    });
  });

  it('says that a folder has no log, and that the key is another', async () => {
    const key = parseVerifierKey(kept.last.verifierKey);
    await expect(verifyFolder(diskOf(new Map()), dataDir, { key })).rejects.toMatchObject({
      name: 'NoAuditLogError',
    });
    const other = parseVerifierKey(kept.other.verifierKey);
    await expect(
      verifyFolder(diskOf(kept.last.files), dataDir, { key: other }),
    ).rejects.toMatchObject({ breach: 'bad_signature' });
  });

  it('takes an end that is on its way while a service writes, and names it otherwise', async () => {
    const forger = new Forger(kept.states, kept.other, seededDice(1));
    forgeries['add bytes at the end']!.act(forger);
    const key = parseVerifierKey(kept.last.verifierKey);
    const disk = diskOf(forger.files);
    expect((await verifyFolder(disk, dataDir, { key, isLive: true })).size).toBe(312);
    await expect(verifyFolder(disk, dataDir, { key })).rejects.toThrow('not sealed');
  });

  it('takes a newer checkpoint that a running service wrote after the first look', async () => {
    const disk = diskOf(kept.last.files);
    const log = openOn(disk, () => Date.UTC(2026, 5, 1));
    log.append([record(Date.UTC(2026, 5, 1), 0)]);
    const key = parseVerifierKey(kept.last.verifierKey);
    expect((await verifyFolder(disk, dataDir, { key, isLive: true })).size).toBe(313);
    log.checkpoint();
    log.append([record(Date.UTC(2026, 5, 1), 0)]);
    log.close();
    expect((await verifyFolder(disk, dataDir, { key })).size).toBe(314);
  });
});
