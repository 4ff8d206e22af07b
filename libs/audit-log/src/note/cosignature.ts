import { sign, verify } from 'node:crypto';
import { BadCheckpointError } from '../errors.ts';
import { parseCheckpoint } from './checkpoint.ts';
import {
  cosignerKey,
  cosignerPublicKey,
  kindOf,
  mostBytesOfName,
  type Cosigner,
  type CosignerAlgorithm,
  type CosignerKey,
} from './cosigner-key.ts';
import { isSameKey, type NoteSignature, type SignedNote } from './signed-note.ts';

/** C2SP tlog-cosignature: a cosignature is a timestamp (8 bytes, seconds since 1970) and a signature. */
const timestampLength = 8;
const mlDsaLabel = Buffer.from('subtree/v1\n\0');

/** `timestamp` is in seconds since 1970, not zero. @throws BadCheckpointError if the text is no checkpoint */
export function cosign(text: string, cosigner: Cosigner, timestamp: number): NoteSignature {
  const { name, id, algorithm } = cosignerKey(cosigner);
  const signature = sign(null, message(algorithm, { text, name, timestamp }), cosigner.key);
  return { name, id, bytes: Buffer.concat([eightBytes(timestamp), signature]) };
}

/** In seconds since 1970. @throws BadCheckpointError if a signature of this key is invalid: the note is not trusted */
export function cosignedAt({ text, signatures }: SignedNote, key: CosignerKey): number | undefined {
  const times = signatures
    .filter((signature) => isSameKey(signature, key))
    .map(({ bytes }) => verifiedTime(text, bytes, key));
  return times.length === 0 ? undefined : Math.max(...times);
}

function verifiedTime(text: string, bytes: Buffer, key: CosignerKey): number {
  const { algorithm, name } = key;
  if (bytes.length === timestampLength + kindOf(algorithm).signatureLength) {
    const timestamp = Number(bytes.readBigUInt64BE(0));
    const signature = bytes.subarray(timestampLength);
    if (
      timestamp > 0 &&
      Number.isSafeInteger(timestamp) &&
      verify(null, message(algorithm, { text, name, timestamp }), cosignerPublicKey(key), signature)
    ) {
      return timestamp;
    }
  }
  throw new BadCheckpointError(`The cosignature of ${name} is not valid`);
}

interface Said {
  readonly text: string;
  readonly name: string;
  readonly timestamp: number;
}

function message(algorithm: CosignerAlgorithm, { text, name, timestamp }: Said): Buffer {
  const { origin, size, root } = parseCheckpoint(text);
  if (algorithm === 'ed25519') {
    return Buffer.from(`cosignature/v1\ntime ${String(timestamp)}\n${text}`);
  }
  return Buffer.concat([
    mlDsaLabel,
    withLength(name),
    eightBytes(timestamp),
    withLength(origin),
    eightBytes(0),
    eightBytes(size),
    root,
  ]);
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > mostBytesOfName) {
    throw new BadCheckpointError('ML-DSA-44 cosigns names of at most 255 bytes');
  }
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function eightBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
