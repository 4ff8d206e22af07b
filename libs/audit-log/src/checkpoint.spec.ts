import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { generateKeyPairSync } from 'node:crypto';
import { formatCheckpoint, parseCheckpoint, signHead, VerifierKey } from './checkpoint.ts';
import { BadCheckpointError } from './errors.ts';
import { emptyRoot } from './tree.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const name = 'clinic.example/audit/0123456789ab';
const key = VerifierKey.fromKey(name, privateKey);
const tree = { size: 12_345, root: emptyRoot };
const note = formatCheckpoint(name, signHead(tree, privateKey, key));

describe('a checkpoint', () => {
  it('is a C2SP note: name, size, root, an empty line, a signature', () => {
    expect(note.split('\n')).toEqual([
      name,
      '12345',
      '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      '',
      expect.stringMatching(/^— clinic\.example\/audit\/0123456789ab [A-Za-z0-9+/]{91}=$/u),
      '',
    ]);
    expect(key.open(note)).toMatchObject(tree);
  });

  it('is opened beside signatures of others, and by its own key alone', () => {
    const line = `— ${name} ${Buffer.alloc(68).toString('base64')}\n`;
    expect(key.open(`${note}— other.example ${'A'.repeat(92)}\n${line}`)).toMatchObject(tree);
    const other = VerifierKey.fromKey(name, generateKeyPairSync('ed25519').privateKey);
    expect(() => other.open(note)).toThrow('not signed by this key');
    const elsewhere = VerifierKey.fromKey('other.example', privateKey);
    expect(() => elsewhere.open(note)).toThrow(`is of ${name}`);
  });

  it('does not hold with any one bit of it changed', () => {
    const bytes = Buffer.from(note);
    // The last line break and the unused bits of the Base64 text have no meaning.
    fc.assert(
      fc.property(fc.nat((bytes.length - 4) * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(() => key.open(changed.toString())).toThrow(BadCheckpointError);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['012345', '-1', '1e4', '', '99999999999999999999', '12345 ', '0x1'])(
    'is refused with the size %j',
    (size) => {
      expect(() => parseCheckpoint(note.replace('\n12345\n', () => `\n${size}\n`))).toThrow(
        BadCheckpointError,
      );
    },
  );

  it.each([
    '',
    '\n\n',
    note.slice(0, -1),
    note.replace('\n\n', '\n'),
    note.replaceAll('\n', '\r\n'),
    note.replace('47DE', '47D'),
    note.replace('12345\n', '12345\nmore\n'),
    note.replaceAll(name, 'a name'),
    note.replaceAll(name, 'a+b'),
  ])('is refused as %j', (wrong) => {
    expect(() => parseCheckpoint(wrong)).toThrow(BadCheckpointError);
  });
});

describe('a public key', () => {
  it('has the form of C2SP signed-note, of either half, and reads back', () => {
    expect(VerifierKey.fromKey(name, publicKey).text).toBe(key.text);
    expect(VerifierKey.parse(`${key.text}\n`).equals(key)).toBe(true);
  });

  it('knows the ID of the known example', () => {
    // From the documentation of Go's package `note`.
    const published = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(VerifierKey.parse(published).text).toBe(published);
  });

  it.each([
    '',
    key.text.replace('clinic', 'clinik'),
    key.text.slice(0, -2),
    `${key.text}AAAA`,
    key.text.replace('+A', '+B'),
    key.text.replace(name, 'a name'),
  ])('is refused as %j', (wrong) => {
    expect(() => VerifierKey.parse(wrong)).toThrow(BadCheckpointError);
  });
});
