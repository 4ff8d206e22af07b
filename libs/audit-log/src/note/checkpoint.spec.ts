import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { signCheckpoint, VerifierKey } from './checkpoint.ts';
import { BadCheckpointError } from '../errors.ts';
import { emptyRoot } from '../tree/tree.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const origin = 'clinic.example/audit/0123456789ab';
const key = VerifierKey.of(origin, privateKey);
const checkpoint = { origin, size: 12_345, root: emptyRoot };
const note = signCheckpoint(checkpoint, privateKey);

describe('a checkpoint', () => {
  it('is a C2SP note: origin, size, root, an empty line, a signature', () => {
    expect(note.split('\n')).toEqual([
      origin,
      '12345',
      '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      '',
      expect.stringMatching(/^— clinic\.example\/audit\/0123456789ab [A-Za-z0-9+/]{91}=$/u),
      '',
    ]);
    expect(key.open(note)).toEqual(checkpoint);
  });

  it('is passed over witnesses and other keys', () => {
    const witnessed = `${note}— witness.example ${Buffer.alloc(68).toString('base64')}\n`;
    expect(key.open(witnessed)).toEqual(checkpoint);
    const other = VerifierKey.of(origin, generateKeyPairSync('ed25519').privateKey);
    expect(() => other.open(note)).toThrow(BadCheckpointError);
  });

  it('does not hold with any one bit of it changed', () => {
    const bytes = Buffer.from(note);
    // The very last line break and the unused bits at the end of the base64 say nothing.
    fc.assert(
      fc.property(fc.nat((bytes.length - 4) * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
        expect(() => key.open(changed.toString())).toThrow(BadCheckpointError);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses sizes and roots written in another way', () => {
    for (const wrong of ['012345', '-1', '1e4', '', '99999999999999999999']) {
      expect(() => key.open(note.replace('12345', wrong))).toThrow(BadCheckpointError);
    }
    expect(() => key.open('')).toThrow(BadCheckpointError);
  });
});

describe('a verifier key', () => {
  it('has the form of C2SP signed-note, and reads back', () => {
    expect(VerifierKey.parse(`${key.text}\n`)).toEqual(key);
  });

  it('knows the id of the known example', () => {
    // The key pair of the documentation of Go's package note.
    const known = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(VerifierKey.parse(known).text).toBe(known);
    const note =
      'If you think cryptography is the answer to your problem,\n' +
      "then you don't know what your problem is.\n\n" +
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
    // Its text is no checkpoint; the bytes below are what its signature covers.
    expect(() => VerifierKey.parse(known).open(note)).toThrow('Not a valid checkpoint');
  });

  it('is refused where its id does not fit', () => {
    expect(() => VerifierKey.parse(key.text.replace('clinic', 'clinik'))).toThrow(
      BadCheckpointError,
    );
    expect(() => VerifierKey.parse('')).toThrow(BadCheckpointError);
  });

  it('is the same for the private and for the public half', () => {
    const again = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(VerifierKey.of(origin, again)).toEqual(key);
  });
});
