import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { AuditReceipt } from './audit-entry.ts';

const BLOCK = 16;
const LOG_ID_BYTES = 6;
const SEQ_BYTES = 6;

/**
 * Ids of records for those who may not know how many others there are: log id and position, as one block of AES-256. A
 * keyed permutation: each record has one id, the same from every instance and after every start, and whoever lacks the
 * key learns from two ids only whether they are the same.
 */
export class RecordIds {
  readonly #key: Buffer;

  /** @param secret 32 bytes, the same on every process that answers */
  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit record id', 32));
  }

  /** 32 hexadecimal digits. */
  idOf({ logId, seq }: AuditReceipt): string {
    const block = Buffer.alloc(BLOCK);
    block.write(logId, 0, LOG_ID_BYTES, 'hex');
    block.writeUIntBE(seq, LOG_ID_BYTES, SEQ_BYTES);
    // One block, never two alike: what is wrong with ECB elsewhere is the permutation that is wanted here.
    const cipher = createCipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('hex');
  }

  /** Where the record with that id is; `undefined` for what is no id that was made with this secret. */
  receiptOf(id: string): AuditReceipt | undefined {
    if (!isRecordId(id)) {
      return undefined;
    }
    const decipher = createDecipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(Buffer.from(id, 'hex')), decipher.final()]);
    const end = LOG_ID_BYTES + SEQ_BYTES;
    return block.subarray(end).every((byte) => byte === 0)
      ? {
          logId: block.toString('hex', 0, LOG_ID_BYTES),
          seq: block.readUIntBE(LOG_ID_BYTES, SEQ_BYTES),
        }
      : undefined;
  }
}

export function isRecordId(text: string): boolean {
  return /^[0-9a-f]{32}$/iu.test(text);
}
