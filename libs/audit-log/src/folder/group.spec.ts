import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { isSealValid, signSeal } from '../note/seal.ts';
import { leafHash } from '../tree/tree.ts';
import { parseGroup, segmentHeader, writeSeal } from './group.ts';
import { layOutGroup } from './laid-out-group.testing.ts';

const origin = 'clinic.example/audit/0a1b2c3d4e5f';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const entries = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), {
  minLength: 1,
  maxLength: 9,
});
const salt = Buffer.alloc(16, 7);

function groupOf(first: number, texts: readonly Uint8Array[]): Buffer {
  const { bytes } = layOutGroup(
    first,
    texts.map((text) => [salt, text]),
  );
  const size = first + texts.length;
  writeSeal(
    bytes,
    signSeal(
      origin,
      { first, size, root: Buffer.alloc(32, size), checkpointSize: first },
      privateKey,
    ),
  );
  return bytes;
}

describe('a group', () => {
  it('reads back as it was written, with the leaves of its entries', () => {
    fc.assert(
      fc.property(fc.nat(), entries, (first, texts) => {
        const { leaves } = layOutGroup(
          first,
          texts.map((text) => [salt, text]),
        );
        const read = parseGroup(groupOf(first, texts));
        expect(read?.first).toBe(first);
        expect(read?.entries.map((entry) => entry.subarray(16))).toEqual(
          texts.map((text) => Buffer.from(text)),
        );
        expect(leaves).toEqual(texts.map((text) => leafHash(salt, text)));
        expect(read?.seal.size).toBe(first + texts.length);
        expect(isSealValid(origin, read?.seal as never, { publicKey })).toBe(true);
      }),
    );
  });

  it('is refused when shorter or longer by any number of bytes', () => {
    const whole = groupOf(3, [Buffer.from('one'), Buffer.from('two')]);
    for (let length = 0; length < whole.length; length += 1) {
      expect(parseGroup(whole.subarray(0, length))).toBeUndefined();
    }
    expect(parseGroup(Buffer.concat([whole, Buffer.of(0)]))).toBeUndefined();
  });

  it('has no second form: what is read is written again the same, or not read', () => {
    const whole = groupOf(3, [Buffer.from('one'), Buffer.from('two')]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] as number) ^ bits;
        const read = parseGroup(changed);
        if (read === undefined) {
          return;
        }
        const { bytes } = layOutGroup(
          read.first,
          read.entries.map((entry) => [entry]),
        );
        writeSeal(bytes, read.seal);
        expect(bytes).toEqual(changed);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a seal', () => {
  const seal = signSeal(
    origin,
    { first: 4, size: 9, root: Buffer.alloc(32, 1), checkpointSize: 4 },
    privateKey,
  );

  it('holds for its own log, size, root and checkpoint alone', () => {
    expect(isSealValid(origin, seal, { publicKey })).toBe(true);
    expect(isSealValid(`${origin}0`, seal, { publicKey })).toBe(false);
    expect(isSealValid(origin, { ...seal, size: 10 }, { publicKey })).toBe(false);
    expect(isSealValid(origin, { ...seal, first: 3 }, { publicKey })).toBe(false);
    expect(isSealValid(origin, { ...seal, checkpointSize: 5 }, { publicKey })).toBe(false);
    expect(isSealValid(origin, { ...seal, root: Buffer.alloc(32) }, { publicKey })).toBe(false);
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(isSealValid(origin, seal, { publicKey: other })).toBe(false);
  });
});

describe('a segment', () => {
  it('begins with a line that names its log and its first record', () => {
    expect(segmentHeader('0a1b2c3d4e5f', 1234).toString()).toBe(
      'caregate audit records 1 0a1b2c3d4e5f 1234\n',
    );
  });
});
