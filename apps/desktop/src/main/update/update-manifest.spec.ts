import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { openManifest, signManifest, versionParts } from './update-manifest.ts';
import type { UpdateFile, UpdateManifest } from './update-manifest.ts';

const release = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const pin = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'der' }).toString('base64');
const pinned = [pin(release.publicKey)];

const content = Buffer.from('the package');
const file: UpdateFile = {
  packaging: 'deb',
  arch: 'x64',
  name: 'caregate-desktop_1.2.3_amd64.deb',
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
};
const manifest: UpdateManifest = {
  ...{ product: 'caregate-desktop', channel: 'stable', version: '1.2.3', staged: 10 },
  ...{ issued: 1000, expires: 2000 },
  files: [file],
};
const signed = signManifest(manifest, release.privateKey);

describe('a manifest of updates', () => {
  it('is read where a pinned key signed it, an older or a newer one among them', () => {
    expect(openManifest(signed, pinned)).toEqual(manifest);
    expect(openManifest(signed, [pin(stranger.publicKey), ...pinned])).toEqual(manifest);
  });

  it('is refused from every other key, and without a pin', () => {
    expect(openManifest(signManifest(manifest, stranger.privateKey), pinned)).toBeUndefined();
    expect(openManifest(signed, [])).toBeUndefined();
  });

  it('is refused with any character changed, left out or put in', () => {
    const { manifest: text, signature } = JSON.parse(signed) as Record<string, string>;
    const whole = [text ?? '', signature ?? ''];
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1),
        fc.nat(),
        fc.string({ maxLength: 2 }),
        fc.nat(2),
        (which, where, instead, left) => {
          const before = whole[which] ?? '';
          const at = where % before.length;
          const after = before.slice(0, at) + instead + before.slice(at + left);
          fc.pre(after !== before);
          const [forged, by] = which === 0 ? [after, whole[1]] : [whole[0], after];
          const given = JSON.stringify({ manifest: forged, signature: by });
          expect(openManifest(given, pinned)).toBeUndefined();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is refused with a signature that the release key made for something else', () => {
    const text = JSON.stringify(manifest);
    const signature = sign(null, Buffer.from(text), release.privateKey).toString('base64');
    expect(openManifest(JSON.stringify({ manifest: text, signature }), pinned)).toBeUndefined();
  });

  it('is refused where it isn’t one, though signed', () => {
    for (const wrong of [
      { ...manifest, product: 'other' },
      { ...manifest, version: '1.2.3-beta' },
      { ...manifest, staged: 101 },
      { ...manifest, files: [{ ...file, sha256: 'short' }] },
      { ...manifest, more: true },
      { ...manifest, channel: 'nightly' },
      ...['../a.deb', 'a/b.deb', '.deb', '..', 'a\\b.deb', 'a b.deb'].map((name) => ({
        ...manifest,
        files: [{ ...file, name }],
      })),
    ]) {
      const given = signManifest(wrong as UpdateManifest, release.privateKey);
      expect(openManifest(given, pinned)).toBeUndefined();
    }
  });

  it('is nothing in whatever else a server may answer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (answer) => {
        expect(openManifest(answer, pinned)).toBeUndefined();
      }),
    );
  });
});

describe('a version', () => {
  it('is three numbers', () => {
    expect(versionParts('10.0.3')).toEqual([10, 0, 3]);
    for (const wrong of ['1.2', '1.2.3.4', '01.2.3', '1.2.3-dev', 'v1.2.3', '1.2.x', '']) {
      expect(versionParts(wrong)).toBeUndefined();
    }
  });
});
