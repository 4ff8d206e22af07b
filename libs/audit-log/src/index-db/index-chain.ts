import {
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/** Its number, its time and its texts. */
export type RecordRow = readonly [number, number | null, ...(string | null)[]];

export interface ChainEnd {
  readonly size: number;
  readonly chain: Buffer;
}

export const chainStart: Buffer = Buffer.alloc(32);

/** Authenticates rows with a key derived from the log's signing key: without it, none can be changed or removed unseen. */
export class IndexChain {
  readonly #key: Buffer;
  readonly #logId: string;

  /** @param key that signs the log; without it, no index of another process is trusted */
  constructor(key: KeyObject | undefined, logId: string) {
    const secret = key?.export({ type: 'pkcs8', format: 'der' });
    this.#key =
      secret === undefined
        ? randomBytes(32)
        : Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit index v4', 32));
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

/** @param ids in order */
export function link(before: Buffer, row: RecordRow, ids: readonly string[]): Buffer {
  return createHash('sha256')
    .update(before)
    .update(JSON.stringify([row, ids]))
    .digest();
}
