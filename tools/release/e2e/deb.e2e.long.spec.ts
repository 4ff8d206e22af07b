import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDeb } from '../src/deb.ts';
import { root } from '../src/workspace.ts';
import { canInstall, contentsOf, debian, digestOf, has } from './debian.testing.ts';
import { startProgram } from './program.testing.ts';

let folder: string;
let deb: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-deb-'));
  deb = has('dpkg-deb') ? await makeDeb(join(folder, 'first')) : '';
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

(has('dpkg-deb') ? describe : describe.skip)('the Debian package', () => {
  it('has the same bytes when it is made again', async () => {
    const again = await makeDeb(join(folder, 'again'));
    expect(digestOf(again)).toBe(digestOf(deb));
  });

  it('belongs to root, and lets nobody else write', () => {
    contentsOf(deb);
  });

  (canInstall ? it : it.skip)(
    'installs in a clean Debian, serves as its own user, is upgraded, and keeps the data when it is purged',
    async () => {
      const newer = await makeDeb(join(folder, 'newer'), '0.1.1');
      const rootFs = join(folder, 'root');
      const inside = debian(rootFs, 'adduser,libstdc++6');
      const install = (file: string): string => {
        execFileSync('cp', [file, join(rootFs, 'tmp/caregate.deb')]);
        return inside('dpkg', '-i', '/tmp/caregate.deb');
      };
      expect(install(deb)).toContain('/var/lib/caregate');
      const itself = ['setpriv', '--reuid=caregate', '--regid=caregate', '--clear-groups'];
      const asItself = (...words: string[]): string => inside(...itself, ...words);
      const team = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
      const data = '/var/lib/caregate/data';
      const created = asItself(
        ...['caregate', 'keys', 'create', '--data', data],
        ...['--team', team, '--role', 'admin', '--label', 'first'],
      );
      expect(created).toMatch(/cg_live_\S+/u);
      const people = execFileSync('node', [
        join(root, 'libs/sample-data/dist/main.js'),
        ...['--users', '2', '--team', team],
      ]);
      writeFileSync(join(rootFs, 'root/people.ndjson'), people, { mode: 0o600 });
      expect(inside('caregate', 'import', '/root/people.ndjson')).toContain('2 added');
      expect(inside('find', '/var/lib/caregate', '!', '-user', 'caregate')).toBe('');
      expect(install(newer)).not.toContain('The first key');
      expect(inside('caregate', '--version')).toBe('0.1.1\n');
      expect(asItself('caregate', 'keys', 'list', '--data', data)).toContain('first');
      const ready = '/var/lib/caregate/ready.json';
      const serve = ['caregate', 'serve', '--data', data, '--port', '0', '--ready-file', ready];
      const running = await startProgram(
        ['chroot', rootFs, ...itself, ...serve],
        join(rootFs, ready),
      );
      expect((await fetch(`${running.base_url}/readyz`)).status).toBe(200);
      expect(await running.end()).toBe(0);
      expect(asItself('caregate', 'audit', 'verify', '--data', data)).toMatch(/holds|verified/iu);
      inside('dpkg', '--purge', 'caregate');
      expect(existsSync(join(rootFs, 'usr/lib/caregate'))).toBe(false);
      expect(existsSync(join(rootFs, 'etc/caregate'))).toBe(false);
      expect(existsSync(join(rootFs, data, 'audit.db'))).toBe(true);
    },
  );
});
