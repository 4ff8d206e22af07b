import { describe, expect, it } from '@jest/globals';
import { seededDice } from '../testing/dice.testing.ts';
import { ProcessStopped, SimulatedDisk } from './simulated-disk.testing.ts';

const seeds = Array.from({ length: 200 }, (_, at) => at);
const text = (disk: SimulatedDisk, path: string): string | undefined => disk.read(path)?.toString();

/** A folder and a file in it that are on the medium. */
function withFile(seed: number, content: string): SimulatedDisk {
  const disk = new SimulatedDisk({ seed });
  disk.plant('/log/file', Buffer.from(content));
  return disk;
}

/** What is found in the file after the power went, over all seeds. */
function afterPowerCut(what: (disk: SimulatedDisk) => void, path = '/log/file'): Set<string> {
  const found = seeds.map((seed) => {
    const disk = withFile(seed, 'old');
    what(disk);
    disk.restart('power cut');
    return String(text(disk, path));
  });
  return new Set(found);
}

describe('the simulated disk', () => {
  it('keeps what was synced through every power cut', () => {
    const found = afterPowerCut((disk) => {
      const file = disk.open('/log/file');
      file.append(Buffer.from(' and new'));
      file.sync();
      file.append(Buffer.from('?'.repeat(20)));
      const other = disk.create('/log/other');
      other.append(Buffer.from('other'));
      other.sync();
      disk.syncFolder('/log');
    });
    expect([...found].every((content) => content.startsWith('old and new'))).toBe(true);
  });

  it('loses, tears and keeps what was not synced', () => {
    const found = afterPowerCut((disk) => {
      disk.open('/log/file').append(Buffer.alloc(9000, '+'));
    });
    expect([...found].every((content) => content.startsWith('old'))).toBe(true);
    expect(found).toContain('old');
    expect(found).toContain(`old${'+'.repeat(9000)}`);
    expect([...found].some((content) => /^old\++$/u.test(content) && content.length < 9003)).toBe(
      true,
    );
    // A later sector on the medium, an earlier one not.
    expect([...found].some((content) => /^old\+*\0+\+/u.test(content))).toBe(true);
  });

  it('loses a cut of a file that was not synced, or keeps it', () => {
    const found = afterPowerCut((disk) => {
      disk.open('/log/file').truncate(1);
    });
    expect(found).toEqual(new Set(['old', 'o']));
  });

  it('loses or keeps each name that was not synced on its own', () => {
    const ways = seeds.map((seed) => {
      const disk = withFile(seed, 'old');
      for (const name of ['a', 'b']) {
        disk.create(`/log/${name}`).sync();
      }
      disk.rename('/log/file', '/log/moved');
      disk.restart('power cut');
      return disk.list('/log').join(' ');
    });
    const names = ['file', 'moved'].flatMap((old) =>
      ['', 'a', 'b', 'a b'].map((made) => `${made} ${old}`.trim()),
    );
    expect([...new Set(ways)].sort()).toEqual(names.sort());
  });

  it('has a renamed file under one name of a folder, with what the file had', () => {
    const found = afterPowerCut((disk) => {
      const file = disk.create('/log/new');
      file.append(Buffer.from('new'));
      file.sync();
      disk.rename('/log/new', '/log/file');
    });
    expect(found).toEqual(new Set(['old', 'new']));
  });

  it('keeps all that was written when only the process ends', () => {
    const disk = withFile(1, 'old');
    disk.open('/log/file').append(Buffer.from(' new'));
    disk.rename('/log/file', '/log/moved');
    disk.restart('kill');
    expect(disk.files()).toEqual(new Map([['/log/moved', Buffer.from('old new')]]));
  });

  it('never reports a failed sync again, and may have lost what it was for', () => {
    const found = seeds.map((seed) => {
      const disk = withFile(seed, '');
      const file = disk.open('/log/file');
      file.append(Buffer.from('first '));
      disk.failing = 10_000;
      expect(() => {
        file.sync();
      }).toThrow('EIO');
      disk.failing = 0;
      file.append(Buffer.from('second'));
      file.sync();
      disk.restart('power cut');
      return String(text(disk, '/log/file'));
    });
    expect(found).toContain('first second');
    expect(found).toContain('\0\0\0\0\0\0second');
  });

  it('stops at the call it is told, does nothing more, and goes on after a restart', () => {
    const disk = withFile(3, 'old');
    disk.stopAt = 2;
    const file = disk.open('/log/file');
    expect(() => {
      file.append(Buffer.from(' new'));
    }).toThrow(ProcessStopped);
    expect(() => disk.read('/log/file')).toThrow(ProcessStopped);
    disk.restart('kill');
    expect(() => file.size()).toThrow('EBADF');
    expect(text(disk, '/log/file')).toMatch(/^old/u);
  });

  it('is full when its room is used, and says so', () => {
    const disk = withFile(3, 'old');
    const file = disk.open('/log/file');
    disk.room = 3;
    expect(() => {
      file.append(Buffer.from(' new'));
    }).toThrow('ENOSPC');
    expect(() => disk.create('/log/other')).toThrow('ENOSPC');
  });

  it('loses what was synced where it ignores syncs', () => {
    const disks = seeds.map((seed) => {
      const disk = new SimulatedDisk({ seed });
      disk.ignoresSyncs = true;
      disk.plant('/log/file', Buffer.from('old'));
      const file = disk.open('/log/file');
      file.append(Buffer.from(' new'));
      file.sync();
      disk.restart('power cut');
      return String(text(disk, '/log/file'));
    });
    expect(disks).toContain('old');
  });

  it('flips one bit', () => {
    const disk = withFile(5, 'old');
    const place = disk.flipBit()!;
    disk.restart('power cut');
    const now = disk.read('/log/file')!;
    const different = [...now].map((byte, at) => byte ^ Buffer.from('old')[at]!);
    expect(place.path).toBe('/log/file');
    expect(different.filter((bits) => bits !== 0)).toHaveLength(1);
    expect(Math.log2(different[place.at]!) % 1).toBe(0);
  });

  it('throws the errors of a real one', () => {
    const disk = withFile(7, 'old');
    expect(() => disk.open('/log/none')).toThrow('ENOENT');
    expect(() => disk.create('/log/file')).toThrow('EEXIST');
    expect(() => disk.create('/none/file')).toThrow('ENOENT');
    expect(() => {
      disk.rename('/log/none', '/log/file');
    }).toThrow('ENOENT');
    expect(disk.read('/log/none')).toBeUndefined();
    expect(disk.list('/none')).toEqual([]);
  });

  it('repeats a history with its seed, and has another with another', () => {
    const history = (seed: number): string => {
      const disk = new SimulatedDisk({ seed, failing: 1000 });
      const told: string[] = [];
      const act = seededDice(11);
      disk.plant('/log/file', Buffer.from('old'));
      for (let step = 0; step < 60; step += 1) {
        try {
          const file = disk.open('/log/file');
          file.append(Buffer.alloc(act(700), step));
          file.sync();
          if (act(5) === 0) {
            disk.restart(act(2) === 0 ? 'kill' : 'power cut');
          }
        } catch (error) {
          told.push(String(error));
        }
      }
      return `${told.join()} ${disk.files().get('/log/file')?.toString('base64') ?? ''}`;
    };
    expect(history(1)).toBe(history(1));
    expect(history(1)).not.toBe(history(2));
  });
});
