import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import { canReplace, packagingOf, pinnedKeys } from './packaging.ts';

let folder: string;
folderForEach((made) => (folder = made));

describe('a package on a computer', () => {
  it('is known by what its installer left', () => {
    const executable = join(folder, 'caregate-desktop');
    const env = { APPIMAGE: join(folder, 'Caregate.AppImage') };
    expect(packagingOf({ platform: 'linux', env: {}, executable })).toBe('deb');
    expect(packagingOf({ platform: 'linux', env, executable })).toBe('AppImage');
    expect(packagingOf({ platform: 'darwin', env: {}, executable })).toBe('pkg');
    expect(packagingOf({ platform: 'win32', env: {}, executable })).toBe('msi');
    writeFileSync(join(folder, 'Uninstall Caregate.exe'), '');
    expect(packagingOf({ platform: 'win32', env: {}, executable })).toBe('nsis');
  });

  it('is replaced by whoever works there only where it is theirs', () => {
    const image = join(folder, 'Caregate.AppImage');
    expect(canReplace('AppImage', { env: { APPIMAGE: image } })).toBe(false);
    writeFileSync(image, '');
    expect(canReplace('AppImage', { env: { APPIMAGE: image } })).toBe(true);
    expect(canReplace('nsis', { env: {} })).toBe(true);
    for (const others of ['deb', 'msi', 'pkg', 'dmg'] as const) {
      expect(canReplace(others, { env: { APPIMAGE: image } })).toBe(false);
    }
  });
});

describe('pinned keys', () => {
  it('are those of the package’s own package.json', () => {
    const keys = (manifest: unknown): readonly string[] => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      return pinnedKeys(folder);
    };
    const spki = { type: 'spki', format: 'der' } as const;
    const pin = generateKeyPairSync('ed25519').publicKey.export(spki).toString('base64');
    expect(keys({ name: 'caregate-desktop', updateKeys: [pin] })).toEqual([pin]);
    expect(keys({ updateKeys: 'no list' })).toEqual([]);
    expect(keys({})).toEqual([]);
    expect(pinnedKeys(join(folder, 'elsewhere'))).toEqual([]);
  });
});
