import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { GrownLog } from '../witness/grown-log.testing.ts';
import { cosign, cosignedAt } from './cosignature.ts';
import { cosignerKey, formatCosignerKey, parseCosignerKey, Cosigner } from './cosigner-key.ts';
import { formatNote, parseNote, withSignatures } from './signed-note.ts';

const log = new GrownLog(GrownLog.leaves(5));
const note = parseNote(log.note());
const cosigners = Cosigner.make('witness.example/w1');
const [ed25519, mlDsa] = cosigners;

describe.each(cosigners.map((cosigner) => [cosigner.key.asymmetricKeyType, cosigner] as const))(
  'a cosignature by %s',
  (_algorithm, cosigner) => {
    const key = cosignerKey(cosigner);
    const cosigned = withSignatures(note, [cosign(note.text, cosigner, 1_679_315_147)]);

    it('says when, and leaves the signature of the log good', () => {
      expect(cosignedAt(cosigned, key)).toBe(1_679_315_147);
      expect(cosignedAt(note, key)).toBeUndefined();
      expect(log.key.open(formatNote(cosigned)).size).toBe(5);
    });

    it('does not hold for another tree, another time, or with a bit changed', () => {
      const [signature] = cosigned.signatures.slice(-1);
      const other = parseNote(new GrownLog(GrownLog.leaves(5, 'x'), log).note());
      expect(() => cosignedAt(withSignatures(other, [signature!]), key)).toThrow(
        BadCheckpointError,
      );
      fc.assert(
        fc.property(fc.nat(signature!.bytes.length * 8 - 1), (bit) => {
          const bytes = Buffer.from(signature!.bytes);
          bytes[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7));
          const changed = withSignatures(note, [{ ...signature!, bytes }]);
          expect(() => cosignedAt(changed, key)).toThrow(BadCheckpointError);
        }),
      );
      for (const length of [1, 8, 9, 71, 73]) {
        const short = { ...signature!, bytes: Buffer.alloc(length) };
        expect(() => cosignedAt(withSignatures(note, [short]), key)).toThrow(BadCheckpointError);
      }
    });

    it('is refused with a time of zero', () => {
      const never = withSignatures(note, [cosign(note.text, cosigner, 0)]);
      expect(() => cosignedAt(never, key)).toThrow(BadCheckpointError);
    });

    it('has a key that reads back, and no other spelling of it', () => {
      const text = formatCosignerKey(key);
      expect(parseCosignerKey(text)).toEqual(key);
      for (const wrong of [
        text.replace('witness', 'witnesz'),
        ` ${text}`,
        `${text}=`,
        text.slice(0, -4),
        text.replace('+', ' '),
        '',
      ]) {
        expect(() => parseCosignerKey(wrong)).toThrow(BadCheckpointError);
      }
    });
  },
);

describe('what is signed', () => {
  it('is the text of C2SP tlog-cosignature with Ed25519', () => {
    const text =
      'cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    const signed = text.split('\n').slice(2).join('\n');
    const { bytes } = cosign(signed, ed25519!, 1_679_315_147);
    expect(bytes.subarray(0, 8).toString('hex')).toBe('00000000641850cb');
    expect(bytes.subarray(8)).toEqual(sign(null, Buffer.from(text), ed25519!.key));
  });

  it('is the structure of C2SP tlog-cosignature with ML-DSA-44', () => {
    // ML-DSA signs with fresh randomness: that it verifies shows that the two wrote the same bytes.
    const message = Buffer.concat([
      Buffer.from('subtree/v1\n\0', 'latin1'),
      Buffer.of(18),
      Buffer.from('witness.example/w1'),
      Buffer.from('0000000000000007', 'hex'),
      Buffer.of(log.origin.length),
      Buffer.from(log.origin),
      Buffer.from('00000000000000000000000000000005', 'hex'),
      log.root(5),
    ]);
    const bytes = Buffer.concat([
      Buffer.from('0000000000000007', 'hex'),
      sign(null, message, mlDsa!.key),
    ]);
    const { name, id } = cosignerKey(mlDsa!);
    const cosigned = withSignatures(note, [{ name, id, bytes }]);
    expect(cosignedAt(cosigned, cosignerKey(mlDsa!))).toBe(7);
  });

  it('has a key of type 4 or 6 and no other', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    expect(() => cosignerKey({ name: 'w', key: privateKey })).toThrow(BadCheckpointError);
    expect(() =>
      parseCosignerKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'),
    ).toThrow('expected signature type 4 (Ed25519) or 6 (ML-DSA-44)');
    const again = createPrivateKey(ed25519!.key.export({ type: 'pkcs8', format: 'pem' }));
    expect(cosignerKey({ name: 'witness.example/w1', key: again })).toEqual(cosignerKey(ed25519!));
  });
});
