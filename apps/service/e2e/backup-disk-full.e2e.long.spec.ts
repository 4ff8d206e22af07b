import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  bin,
  caregate,
  isRootOnLinux,
  kill,
  mountTmpfs,
  newFolder,
  printed,
  served,
  type Running,
} from './caregate.testing.ts';

let folder: string;
let disk: string;
let data: string;
let service: Running;
let headers: Record<string, string>;

beforeEach(() => {
  folder = newFolder();
  disk = join(folder, 'disk');
  mkdirSync(disk);
});

afterEach(() => {
  kill(service);
  execFileSync('umount', ['--lazy', disk]);
});

async function serve(at: string): Promise<void> {
  data = at;
  ({ service, headers } = await served({ folder, data }, sampleEnvelopes({ users: 60 })));
}

async function ask(): Promise<number> {
  return (await fetch(`${service.ready.base_url}/v2/user`, { headers })).status;
}

/** Returns the bytes of all files by name. */
function contentsOf(at: string): Map<string, string> {
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(at, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(at, name), 'base64')]));
}

function refuse(words: readonly string[], message: string): void {
  const { status, stdout, stderr } = caregate(words);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^The disk of ${message}[^\\n]+\\n$`, 'u'));
}

(isRootOnLinux ? describe : describe.skip)(
  'a disk that is full is named, nothing is left there, the service goes on, and the same command passes once there is room (needs root on Linux)',
  () => {
    it.each<[string, readonly number[], (to: string) => readonly string[]]>([
      ['a backup', [1, 2, 3, 4, 5, 6], (to) => ['backup', to, '--data', data]],
      ['a restore', [2, 3, 4, 5, 6], (to) => ['restore', join(folder, 'plain'), '--data', to]],
    ])('the disk of the target: %s', async (_, files, wordsTo) => {
      await serve(join(folder, 'data'));
      printed(['backup', join(folder, 'plain'), '--data', data]);
      const words = wordsTo(join(disk, 'target'));
      mountTmpfs(disk, 'size=2m');
      refuse(words, `.+/disk[^ ]* has \\d MiB free, and \\d are needed`);
      expect(readdirSync(disk)).toEqual([]);
      execFileSync('umount', [disk]);

      // The disk runs out of inodes at the start or while files are copied.
      mountTmpfs(disk, 'size=64m');
      for (const count of files) {
        execFileSync('mount', ['-o', `remount,nr_inodes=${count}`, disk]);
        refuse(words, '.+/disk[^ ]* (?:became full|takes no more files)');
        expect(readdirSync(disk)).toEqual([]);
      }
      expect(await ask()).toBe(200);
      execFileSync('mount', ['-o', 'remount,nr_inodes=1000', disk]);
      printed(words);
      expect(await ask()).toBe(200);
    });

    it('the disk of the nightly backups, which can be gone or read-only as well: the old ones stay', async () => {
      await serve(join(folder, 'data'));
      const target = join(disk, 'backups');
      const old = '2020-01-01T02-00-00Z';
      const env = { CAREGATE_BACKUP_FOLDER: target };
      const nightly = (): unknown => {
        const { status, stdout, stderr } = caregate(['backup', '--data', data], env);
        return [status, stdout, stderr];
      };
      expect(nightly()).toEqual([2, '', expect.stringMatching(/does not exist\. Mount its disk/u)]);
      expect(readdirSync(disk)).toEqual([]);

      mountTmpfs(disk, 'size=2m');
      mkdirSync(join(target, old), { recursive: true });
      expect(nightly()).toEqual([2, '', expect.stringMatching(/^The disk of .+ MiB free/u)]);
      execFileSync('mount', ['-o', 'remount,size=64m,nr_inodes=8', disk]);
      expect(nightly()).toEqual([2, '', expect.stringMatching(/^The disk of .+ became full/u)]);
      execFileSync('mount', ['-o', 'remount,nr_inodes=1000,ro', disk]);
      expect(nightly()).toEqual([2, '', expect.stringMatching(/cannot be written \(EROFS\)/u)]);
      expect(readdirSync(target)).toEqual([old]);

      execFileSync('mount', ['-o', 'remount,rw', disk]);
      expect(nightly()).toEqual([0, expect.stringContaining(`30 days: ${old}`), '']);
      expect(readdirSync(target)).toEqual([expect.stringMatching(/^2\d+-.*Z$/u)]);
      expect(await ask()).toBe(200);
    });

    it.each([
      ['beside it', 'data'],
      ['in it, since it is a disk of its own', '.'],
    ])(
      'the disk of a damaged folder, which stays as it is; what is replaced goes %s',
      async (_, name) => {
        mountTmpfs(disk, 'size=64m');
        const to = join(disk, name);
        await serve(to);
        printed(['backup', join(folder, 'plain'), '--data', data]);
        const archive = join(folder, 'backup.tar');
        execFileSync('tar', ['-cf', archive, ...readdirSync(join(folder, 'plain'))], {
          cwd: join(folder, 'plain'),
        });
        expect(await service.end()).toBe(0);
        truncateSync(join(to, 'store.db'), 8192);
        const filler = join(folder, 'disk', 'filler');
        const before = contentsOf(to);
        const full = (freeMib: number, words: readonly string[], message: string): void => {
          const { bavail, bsize } = statfsSync(disk);
          writeFileSync(filler, Buffer.alloc(bavail * bsize - freeMib * 2 ** 20));
          refuse(words, message);
          rmSync(filler);
          expect(contentsOf(to)).toEqual(before);
        };
        full(
          1,
          ['restore', join(folder, 'plain'), '--data', to],
          '.+ MiB free, and \\d+ are needed',
        );
        full(1, ['restore', archive, '--data', to], '.+ MiB free, and \\d+ are needed');
        // The size of standard input is unknown, so the disk becomes full while files are written.
        const { bavail, bsize } = statfsSync(disk);
        writeFileSync(filler, Buffer.alloc(bavail * bsize - 2 ** 20));
        const piped = spawnSync(
          'bash',
          ['-c', `'${process.execPath}' '${bin}' restore - --data '${to}' < '${archive}'`],
          { encoding: 'utf8' },
        );
        expect([piped.status, piped.stdout]).toEqual([2, '']);
        expect(piped.stderr).toMatch(/^The disk of [^\n]+ became full[^\n]+\n$/u);
        rmSync(filler);
        expect(contentsOf(to)).toEqual(before);
        const { replaced_files: aside } = JSON.parse(
          printed(['restore', archive, '--data', to, '--json']),
        ) as { replaced_files: string };
        expect(aside).toMatch(name === '.' ? /\/disk\/replaced-/u : /\/disk\/data\.replaced-/u);
        expect(readdirSync(aside)).toContain('store.db');
        printed(['audit', 'verify', '--data', to]);
      },
    );
  },
);
