import { beforeAll, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { caregate, isRootOnLinux, newFolder } from './caregate.testing.ts';

/** An account and group that every Debian has. */
const USER = 'daemon';

(isRootOnLinux ? describe : describe.skip)(
  'root, who becomes the user of the service (needs root on Linux)',
  () => {
    let folder: string;
    /** A folder that only root can read. */
    let own: string;
    let uid: number;
    const asUser = (...words: string[]): object => {
      const env = { CAREGATE_RUN_AS: USER, CAREGATE_DATA: join(folder, 'service', 'data') };
      const { status, stdout, stderr } = caregate(words, env);
      return { status, stdout, stderr };
    };
    const data = (name: string): string => join(folder, 'service', 'data', name);

    beforeAll(() => {
      uid = Number(execFileSync('id', ['-u', USER], { encoding: 'utf8' }));
      folder = newFolder();
      chmodSync(folder, 0o755);
      own = join(folder, 'root');
      mkdirSync(own, { mode: 0o700 });
      mkdirSync(join(folder, 'service'), { mode: 0o700 });
      chownSync(join(folder, 'service'), uid, uid);
      const lines = Array.from(sampleEnvelopes({ users: 2 }), (each) => JSON.stringify(each));
      writeFileSync(join(own, 'people.ndjson'), lines.join('\n'), { mode: 0o600 });
      writeFileSync(join(own, 'key'), 'no key', { mode: 0o600 });
    });

    it('imports a file of its own, and leaves no file of its own in the data folder', () => {
      expect(asUser('import', join(own, 'people.ndjson'))).toMatchObject({
        ...{ status: 0, stderr: '', stdout: expect.stringContaining('2 added') },
      });
      const names = readdirSync(join(folder, 'service'), { recursive: true, encoding: 'utf8' });
      expect(names.length).toBeGreaterThan(3);
      for (const name of names) {
        const about = statSync(join(folder, 'service', name));
        expect([name, about.uid, about.gid]).toEqual([name, uid, uid]);
      }
      expect(asUser('import', join(own, 'none'))).toEqual({
        ...{ status: 2, stdout: '', stderr: expect.stringContaining('none: no such file') },
      });
    });

    it('shows a key file of its own', () => {
      const words = ['--key-file', join(own, 'key')];
      expect(asUser('person', 'erase', 'approve', 'abcd1234', ...words)).toEqual({
        ...{
          status: 2,
          stdout: '',
          stderr: expect.stringContaining('Not a valid key of a person'),
        },
      });
    });

    it('restores a backup of its own, a folder or an archive', () => {
      const [made, folderOfRoot] = [join(folder, 'service', 'backup'), join(own, 'backup')];
      expect(asUser('backup', made)).toMatchObject({ status: 0, stderr: '' });
      cpSync(made, folderOfRoot, { recursive: true });
      const archive = join(own, 'backup.tar');
      execFileSync('tar', ['-cf', archive, '--format=ustar', ...readdirSync(made)], { cwd: made });
      chmodSync(archive, 0o600);
      for (const backup of [folderOfRoot, archive]) {
        rmSync(data('store.db'));
        expect(asUser('restore', backup)).toMatchObject({ status: 0, stderr: '' });
        expect(statSync(data('store.db')).uid).toBe(uid);
      }
    });

    it('reaches nothing else of its own', () => {
      expect(asUser('backup', join(own, 'new'))).toMatchObject({
        ...{ status: 1, stderr: expect.stringContaining('Permission denied') },
      });
    });
  },
);
