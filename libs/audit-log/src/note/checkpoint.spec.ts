import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { LogKeys, signCheckpoint, VerifierKey } from './checkpoint.ts';
import { packChanges, signChange } from './key-change.ts';
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
    expect(key.open(note)).toMatchObject(checkpoint);
  });

  it('is opened beside signatures of others, and by its own key alone', () => {
    const signedTwice = `${note}— other.example ${Buffer.alloc(68).toString('base64')}\n`;
    expect(key.open(signedTwice)).toMatchObject(checkpoint);
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

describe('a checkpoint of a log whose key was replaced', () => {
  const pair = (): { key: KeyObject; bytes: Buffer } => {
    const made = generateKeyPairSync('ed25519').privateKey;
    return { key: made, bytes: VerifierKey.of(origin, made).bytes };
  };
  const [old, next, last] = [{ key: privateKey, bytes: key.bytes }, pair(), pair()] as const;
  const at = (size: number): { size: number; root: Buffer } => ({ size, root: emptyRoot });
  const changes = [
    signChange(origin, at(7), { old, next }),
    signChange(origin, at(9), { old: next, next: last }),
  ] as const;
  const keys = LogKeys.of(key).with(changes[0]).with(changes[1]);
  const named = signCheckpoint(checkpoint, last.key, keys);

  it('is opened by each key, and names the one that signed', () => {
    for (const { bytes } of [old, next, last]) {
      const opened = VerifierKey.raw(origin, bytes).open(named);
      expect(opened).toMatchObject(checkpoint);
      expect(opened.keys.current.bytes).toEqual(last.bytes);
    }
    expect(() => VerifierKey.raw(origin, pair().bytes).open(named)).toThrow(BadCheckpointError);
    const earlier = signCheckpoint({ ...checkpoint, size: 7 }, old.key);
    expect(keys.open(earlier).size).toBe(7);
    expect(() => keys.open(note)).toThrow(BadCheckpointError);
    expect(() => key.open(signCheckpoint(checkpoint, old.key, keys))).toThrow(BadCheckpointError);
  });

  it('is not opened by an earlier key with any one bit of it changed', () => {
    const bytes = Buffer.from(named);
    fc.assert(
      fc.property(fc.nat((bytes.length - 4) * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
        for (const earlier of [key, VerifierKey.raw(origin, next.bytes)]) {
          expect(() => earlier.open(changed.toString())).toThrow(BadCheckpointError);
        }
      }),
    );
  });

  it('takes no change that one of the two keys did not sign, of a key that it had, or of an earlier size', () => {
    const theirs = pair();
    for (const wrong of [
      signChange(origin, at(20), { old: { ...last, key: theirs.key }, next: theirs }),
      signChange(origin, at(20), { old: last, next: { ...theirs, key: last.key } }),
      signChange(origin, at(20), { old: last, next: old }),
      signChange(origin, at(9), { old: last, next: theirs }),
      { ...signChange(origin, at(20), { old: last, next: theirs }), root: Buffer.alloc(32) },
    ]) {
      expect(() => keys.with(wrong)).toThrow('not signed by both keys');
      const line = LogKeys.of(key).with(changes[0]).line();
      const all = packChanges(key.bytes, [...changes, wrong]);
      const id = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(0, 4);
      const forged = `${signCheckpoint(checkpoint, theirs.key)}— ${origin} ${Buffer.concat([id, all]).toString('base64')}\n`;
      for (const { bytes } of [old, next, last]) {
        expect(() => VerifierKey.raw(origin, bytes).open(forged)).toThrow('not signed by both');
      }
    }
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
