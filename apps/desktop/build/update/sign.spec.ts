import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderForEach } from '../../src/main/files/folder-for-each.testing.ts';
import { factsOf, openManifest } from '../../src/main/update/update-manifest.ts';

let folder: string;
folderForEach((made) => (folder = made));

const command = join(import.meta.dirname, 'sign.ts');
const node = ['--conditions=@caregate/source', command];

describe('the release key’s command', () => {
  it('signs packages of one version, so that a desk with its pin takes them', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const names = ['caregate-desktop_1.2.3_amd64.deb', 'caregate-desktop_1.2.3_win_x64.exe'];
    for (const name of names) writeFileSync(join(folder, name), `bytes of ${name}`);
    const said = execFileSync(
      process.execPath,
      [...node, 'key.pem', 'stable', '10', '30', ...names],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    const pin = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    expect(said).toContain(pin);
    const signed = readFileSync(join(folder, 'desktop-updates.json'), 'utf8');
    expect(openManifest(signed, [pin])).toMatchObject({
      ...{ version: '1.2.3', staged: 10 },
      files: [
        { packaging: 'deb', arch: 'x64', name: names[0] },
        { packaging: 'nsis', arch: 'x64', name: names[1] },
      ],
    });
    writeFileSync(join(folder, 'caregate-desktop_1.2.4_arm64.deb'), 'other');
    const mixed = [...names, 'caregate-desktop_1.2.4_arm64.deb'];
    expect(
      spawnSync(process.execPath, [...node, 'key.pem', 'stable', '10', '30', ...mixed], {
        cwd: folder,
      }).status,
    ).toBe(1);
  });

  it('offers no build that isn’t a release', () => {
    for (const name of [
      'caregate-desktop-test_1.2.3~test_amd64.deb',
      'caregate-desktop-development_1.2.3-development_linux_x86_64.AppImage',
      'caregate-desktop_1.2.3.deb',
      'caregate_1.2.3_amd64.deb',
    ]) {
      expect(() => factsOf(name)).toThrow('released package');
    }
    expect(factsOf('caregate-desktop_1.2.3_linux_x86_64.AppImage').packaging).toBe('AppImage');
  });
});
