import { beforeAll, describe, expect, it } from '@jest/globals';
import { VerifierKey } from '../note/checkpoint.ts';
import { waysInTurn } from '../testing/by-turns.testing.ts';
import { seededDice } from '../testing/dice.testing.ts';
import { Frontier, leafHash } from '../tree/tree.ts';
import {
  checkpointFile,
  dataDir,
  diskOf,
  type Files,
  Forger,
  logFile,
  openOn,
  record,
} from './forged-log.testing.ts';
import { forgeries } from './forgeries.testing.ts';
import { areFound, keptLog } from './forgery.testing.ts';
import type { Kept } from './judge.testing.ts';
import { verifyFolderOn } from './verify-folder.ts';

let kept: Kept;
beforeAll(async () => {
  kept = await keptLog;
});

areFound(waysInTurn('files', Object.keys(forgeries)), 3);

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

it('a change of the key is not finished by a start over another history, which the old key signed', () => {
  const forger = new Forger(kept.states, kept.other, seededDice(1));
  const way =
    'edit what was before the change of the key, and have a start finish the change, with a stolen old key';
  forgeries[way]!(forger);
  expect(() => openOn(diskOf(forger.files))).toThrow('does not fit the log');
});

it('a checkpoint by a stolen old key is found by whoever knows the old key alone, too', async () => {
  const forger = new Forger(kept.states, kept.other, seededDice(1));
  forgeries['sign the checkpoint with a stolen old key']!(forger);
  const key = VerifierKey.parse(kept.states[0]!.verifierKey);
  await verifyFolderOn(diskOf(kept.last.files), dataDir, { key });
  await expect(verifyFolderOn(diskOf(forger.files), dataDir, { key })).rejects.toMatchObject({
    breach: 'bad_signature',
    message: expect.stringContaining('is not signed by the key that the log had then'),
  });
});

describe('verification', () => {
  it('holds for a log that nobody touched, and says what it checked', async () => {
    const { files, checkpoint, verifierKey: key } = kept.last;
    const options = { key: VerifierKey.parse(key), outside: checkpoint };
    const report = await verifyFolderOn(diskOf(files), dataDir, options);
    expect(report).toMatchObject({ size: 313, seals: 40, checkpoints: 2 });
    expect(checkpoint).toContain(report.root.toString('base64'));
    for (const state of kept.states) {
      await verifyFolderOn(diskOf(files), dataDir, { ...options, outside: state.checkpoint });
    }
  });

  it('names the record that was changed', async () => {
    const forger = new Forger(kept.states, kept.other, seededDice(1));
    const all = forger.segments();
    const { entries } = all[0]!.groups[2]!;
    entries[5]![40]! ^= 1;
    forger.write(all);
    const key = VerifierKey.parse(kept.last.verifierKey);
    await expect(verifyFolderOn(diskOf(forger.files), dataDir, { key })).rejects.toMatchObject({
      breach: 'altered',
      seq: 21,
    });
  });

  interface Refusal {
    readonly name: string;
    readonly change?: (files: Files) => unknown;
    readonly isOtherKey?: boolean;
    readonly isKept?: boolean;
    readonly error: Record<string, string>;
  }
  it.each<Refusal>([
    {
      name: 'the key of another log',
      isOtherKey: true,
      error: { breach: 'bad_signature', message: 'The log does not belong to this public key' },
    },
    {
      name: 'a folder without a log',
      change: (files) => {
        files.clear();
      },
      error: { name: 'NoAuditLogError', message: 'This folder has no audit log.' },
    },
    {
      name: 'a log that is gone with its key, of which a checkpoint was kept',
      change: (files) => {
        files.clear();
      },
      isKept: true,
      error: {
        breach: 'truncated',
        message: 'The log is missing, of which a checkpoint was kept',
      },
    },
    {
      name: 'a log without its first file',
      change: (files) => files.delete(logFile),
      error: {
        breach: 'truncated',
        message: 'The log is missing: there is no file audit/log',
      },
    },
    {
      name: 'a damaged first file',
      change: (files) => files.set(logFile, Buffer.from('x')),
      error: { breach: 'altered', message: 'The file audit/log is damaged' },
    },
    {
      name: 'a log without its checkpoint',
      change: (files) => files.delete(checkpointFile),
      error: { breach: 'truncated', message: 'The checkpoint of the log is missing' },
    },
    {
      name: 'a checkpoint that the key did not sign',
      change: (files) => files.set(checkpointFile, Buffer.from(kept.other.checkpoint)),
      error: {
        breach: 'bad_signature',
        message: 'The stored checkpoint has no valid signature',
      },
    },
  ])('refuses $name', async ({ change, isOtherKey = false, isKept = false, error }) => {
    const files: Files = new Map(kept.last.files);
    change?.(files);
    const { verifierKey } = isOtherKey ? kept.other : kept.last;
    const key = VerifierKey.parse(verifierKey);
    const options = isKept ? { key, outside: kept.last.checkpoint } : { key };
    await expect(verifyFolderOn(diskOf(files), dataDir, options)).rejects.toMatchObject(error);
  });

  it('takes an end that is on its way while a service writes, and names it otherwise', async () => {
    const forger = new Forger(kept.states, kept.other, seededDice(1));
    forgeries['add bytes at the end']!(forger);
    const key = VerifierKey.parse(kept.last.verifierKey);
    const disk = diskOf(forger.files);
    expect((await verifyFolderOn(disk, dataDir, { key, isLive: true })).size).toBe(313);
    await expect(verifyFolderOn(disk, dataDir, { key })).rejects.toThrow('not sealed');
  });

  it('takes a newer checkpoint that a running service wrote after the first look', async () => {
    const disk = diskOf(kept.last.files);
    const log = openOn(disk);
    log.append([record(0)]);
    const key = VerifierKey.parse(kept.last.verifierKey);
    expect((await verifyFolderOn(disk, dataDir, { key, isLive: true })).size).toBe(314);
    log.checkpoint();
    log.append([record(0)]);
    log.close();
    expect((await verifyFolderOn(disk, dataDir, { key })).size).toBe(315);
  });
});
