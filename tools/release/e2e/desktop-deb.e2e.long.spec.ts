import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDesktopDeb } from '../src/desktop/deb.ts';
import { getBuiltVersion } from '../src/workspace.ts';
import { canInstall, contentsOf, debian, dependenciesOf, digestOf, has } from './debian.testing.ts';
import { openWindow, provideDisplay } from './window.testing.ts';

const program = 'caregate-desktop-test';

let folder: string;
let endDisplay: () => void;
let deb: string;

beforeAll(async () => {
  endDisplay = await provideDisplay();
  folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-deb-'));
  if (has('dpkg-deb')) deb = await makeDesktopDeb({ kind: 'test', into: join(folder, 'first') });
});

afterAll(() => {
  endDisplay();
  rmSync(folder, { recursive: true, force: true });
});

(has('dpkg-deb') ? describe : describe.skip)("the desktop's Debian package", () => {
  it('belongs to root, lets nobody else write, and has one setuid file: the sandbox', () => {
    const setuid = contentsOf(deb).filter((line) => /^...s/u.test(line));
    expect(setuid).toEqual([expect.stringContaining(`${program}/chrome-sandbox`)]);
  });

  it('has the same bytes when it is made again', async () => {
    const again = await makeDesktopDeb({ kind: 'test', into: join(folder, 'again') });
    expect(digestOf(again)).toBe(digestOf(deb));
    rmSync(again);
  });

  it('is named as what it is, for people and for apt', () => {
    const field = (name: string): string =>
      execFileSync('dpkg-deb', ['--field', deb, name], { encoding: 'utf8' }).trim();
    expect(field('Package')).toBe(program);
    expect(field('Version')).toBe(getBuiltVersion().replace('+', '~test+'));
    expect(field('Description')).toContain('Caregate (test)');
  });

  (canInstall ? it : it.skip)(
    'installs in a clean Debian, is upgraded, and leaves nothing when it is purged',
    async () => {
      const rootFs = join(folder, 'root');
      const inside = debian(rootFs, dependenciesOf(deb));
      const install = (file: string): void => {
        renameSync(file, join(rootFs, 'tmp/desktop.deb'));
        inside('dpkg', '-i', '/tmp/desktop.deb');
      };
      const firstScreen = async (version: string): Promise<string> => {
        const userData = `--user-data-dir=/tmp/${version}`;
        const { page, close } = await openWindow(['chroot', rootFs, program, userData]);
        await page.getByRole('heading', { name: 'Connect to your clinic' }).waitFor();
        const shown = await page.getByText('-test').innerText();
        await close();
        return shown;
      };
      // Chromium reads files in /proc.
      execFileSync('mount', ['-t', 'proc', 'proc', join(rootFs, 'proc')]);
      try {
        install(deb);
        expect(await firstScreen('0.1.0')).toContain('0.1.0-test');
        install(
          await makeDesktopDeb({ kind: 'test', into: join(folder, 'newer'), version: '0.1.1' }),
        );
        expect(await firstScreen('0.1.1')).toContain('0.1.1-test');
        inside('dpkg', '--purge', program);
      } finally {
        execFileSync('umount', [join(rootFs, 'proc')]);
      }
      const left = ['usr/lib', 'usr/share/doc', 'usr/bin'].filter((where) =>
        existsSync(join(rootFs, where, program)),
      );
      expect(left).toEqual([]);
      expect(existsSync(join(rootFs, `usr/share/applications/${program}.desktop`))).toBe(false);
    },
  );
});
