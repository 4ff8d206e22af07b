import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { signingKey } from '../folder/log-key.ts';

/** What an index has of a record: `[seq, time, team, actor, operation, decision]`. */
export type RecordRow = readonly [number, number, string | null, string | null, string, string];

/** What it has of a patient of a record: `[user id, whether returned]`, in the order of both. */
export type PatientRow = readonly [string, number];

/** How far an index is, and the hash over all its rows up to there. */
export interface ChainEnd {
  readonly size: number;
  readonly chain: Buffer;
}

export const chainStart: Buffer = Buffer.alloc(32);

/**
 * Rows of an index are hashed one after another, and the last hash is authenticated with a key that is derived from the log's
 * signing key: whoever has not that key can neither take a row out of the file nor change one unseen.
 */
export class IndexChain {
  readonly #key: Buffer;
  readonly #logId: string;

  /** @param pem the signing key; without one, no index of another process is believed */
  constructor(pem: Buffer | undefined, logId: string) {
    const secret = pem && signingKey(pem)?.export({ type: 'pkcs8', format: 'der' });
    this.#key =
      secret === undefined
        ? randomBytes(32)
        : Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit index v3', 32));
    this.#logId = logId;
  }

  mac({ size, chain }: ChainEnd): Buffer {
    const text = `${this.#logId} ${size} ${chain.toString('hex')}`;
    return createHmac('sha256', this.#key).update(text).digest();
  }

  holds(end: ChainEnd, mac: Uint8Array): boolean {
    return mac.length === 32 && timingSafeEqual(this.mac(end), mac);
  }
}

/** The chain with one more record. */
export function link(before: Buffer, row: RecordRow, patients: readonly PatientRow[]): Buffer {
  return createHash('sha256')
    .update(before)
    .update(JSON.stringify([row, patients]))
    .digest();
}
