import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPackageProblems, findReleaseProblems } from './release-check.ts';

const good = { runtime: { isForTests: false, version: '45.4.1' }, pinned: '45.4.1' } as const;

describe('a release', () => {
  it('is refused on any Electron but the pinned one', () => {
    const on = (isForTests: boolean, version: string): number =>
      findReleaseProblems({ ...good, runtime: { isForTests, version }, platform: 'linux', env: {} })
        .length;
    expect(on(true, '33.2.1')).toBe(1);
    expect(on(true, '45.4.1')).toBe(1);
    expect(on(false, 'of unknown version')).toBe(1);
    expect(on(false, '45.4.1')).toBe(0);
  });

  it('is refused on Windows without a whole certificate', () => {
    const by = (env: Record<string, string>): string[] =>
      findReleaseProblems({ ...good, platform: 'win32', env });
    expect(by({})).toEqual([expect.stringMatching(/^Sign by WIN_CSC_LINK/u)]);
    expect(by({ WIN_CSC_LINK: 'a.pfx', WIN_CSC_KEY_PASSWORD: '' })).toHaveLength(1);
    expect(by({ WIN_CSC_LINK: 'a.pfx', WIN_CSC_KEY_PASSWORD: 'secret' })).toEqual([]);
  });

  it('is refused on macOS without certificate and notarisation', () => {
    const signed = { CSC_NAME: 'Clinic' };
    const by = (env: Record<string, string>): string[] =>
      findReleaseProblems({ ...good, platform: 'darwin', env });
    expect(by({})).toHaveLength(2);
    expect(by(signed)).toEqual([expect.stringMatching(/^Notarise by APPLE_API_KEY/u)]);
    expect(by({ ...signed, APPLE_KEYCHAIN_PROFILE: 'p' })).toEqual([]);
  });

  it('is refused with an unsigned file, or one of a build that is no release', () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-release-'));
    const file = (name: string): string => {
      writeFileSync(join(folder, name), '');
      return join(folder, name);
    };
    expect(findPackageProblems([file('caregate-desktop_1.0.0_win_x64.exe')])).toEqual([
      'caregate-desktop_1.0.0_win_x64.exe is not signed.',
    ]);
    for (const name of [
      'caregate-desktop_1.0.0_amd64.deb',
      'latest-linux-arm64.yml',
      'latest.yml',
    ]) {
      expect(findPackageProblems([file(name)])).toEqual([]);
    }
    for (const name of [
      'caregate-desktop-test_1.0.0~test_amd64.deb',
      'caregate-desktop-development_1.0.0~development_amd64.deb',
      'caregate-desktop_1.0.0~test_amd64.deb',
    ]) {
      expect(findPackageProblems([file(name)])).toHaveLength(1);
    }
  });
});
