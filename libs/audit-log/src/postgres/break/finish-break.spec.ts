import { describe, expect, it } from '@jest/globals';
import { SimulatedDisk } from '../../disk/simulated-disk.testing.ts';
import { beginFinish, finishBreak, isBreakPending } from './finish-break.ts';

const logId = '0a1b2c3d4e5f';
const oldLog = 'f5e4d3c2b1a0';

/** A data folder whose break is recorded, with the new key beside the old one. */
function folder(seed: number): SimulatedDisk {
  const disk = new SimulatedDisk({ seed });
  for (const name of ['/data', '/data/audit-kept', '/data/audit-break']) {
    disk.makeFolder(name);
  }
  disk.plant('/data/audit-key.pem', Buffer.from('old key'));
  disk.plant(`/data/audit-kept/${oldLog}`, Buffer.from('checkpoint'));
  disk.plant(`/data/audit-kept/${oldLog}.witnessed`, Buffer.from('cosigned'));
  disk.plant('/data/audit-break/audit-key.pem', Buffer.from('new key'));
  for (const name of ['/', '/data', '/data/audit-kept', '/data/audit-break']) {
    disk.syncFolder(name);
  }
  return disk;
}

/** Without drafts that were left. */
function contents(disk: SimulatedDisk): Record<string, string> {
  return Object.fromEntries(
    [...disk.files()]
      .filter(([path]) => !path.endsWith('.new'))
      .map(([path, bytes]): [string, string] => [path, bytes.toString()])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const before = contents(folder(0));
const after = {
  [`/data/audit-kept.before-${logId}/${oldLog}`]: 'checkpoint',
  [`/data/audit-kept.before-${logId}/${oldLog}.witnessed`]: 'cosigned',
  [`/data/audit-key.before-${logId}.pem`]: 'old key',
  '/data/audit-key.pem': 'new key',
};

function finish(disk: SimulatedDisk): void {
  beginFinish(disk, '/data', logId);
  expect(finishBreak(disk, '/data')).toBe(logId);
}

describe('the key of an accepted break', () => {
  it('takes the place of the old one, which is set aside with the kept checkpoints', () => {
    const disk = folder(1);
    finish(disk);
    expect(contents(disk)).toEqual(after);
    disk.restart('power cut');
    expect(contents(disk)).toEqual(after);
    expect(isBreakPending(disk, '/data')).toBe(false);
  });

  it.each(['kill', 'power cut'] as const)(
    'is in place or goes on to be, whichever call a %s comes at; until then a start is refused',
    (how) => {
      const counted = folder(0);
      const planted = counted.calls;
      finish(counted);
      const calls = counted.calls - planted;
      expect(calls).toBeGreaterThan(20);
      const states = new Set<string>();
      for (let seed = 0; seed < 20; seed += 1) {
        for (let at = 1; at <= calls; at += 1) {
          const disk = folder(seed);
          disk.stopAt = disk.calls + at;
          expect(() => {
            finish(disk);
          }).toThrow('stopped');
          disk.stopAt = Infinity;
          disk.restart(how);
          if (isBreakPending(disk, '/data')) {
            // Once more, stopped or not.
            disk.stopAt = disk.calls + 1 + (seed % calls);
            try {
              finishBreak(disk, '/data');
            } catch {
              disk.stopAt = Infinity;
              disk.restart(how);
            }
            disk.stopAt = Infinity;
            finishBreak(disk, '/data');
            states.add('gone on with');
            expect(contents(disk)).toEqual(after);
          } else {
            const now = contents(disk);
            states.add(now['/data/audit-key.pem'] as string);
            expect([before, after]).toContainEqual(now);
          }
        }
      }
      expect([...states].sort()).toEqual(['gone on with', 'new key', 'old key']);
    },
  );
});
