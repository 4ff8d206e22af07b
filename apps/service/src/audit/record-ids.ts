import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { AuditReceipt } from '@caregate/audit-log';
import { Inject, Injectable } from '@nestjs/common';
import { PERMANENT_SECRET } from '../common/tokens.ts';

const BLOCK = 16;
const LOG_ID_BYTES = 6;
const SEQ_BYTES = 6;

/** Log id and position, encrypted as one AES-256 block: without the key, ids do not tell the number of records. */
@Injectable()
export class RecordIds {
  /** Reused: creating one takes twenty times as long as a block. */
  readonly #cipher: ReturnType<typeof createCipheriv>;
  readonly #decipher: ReturnType<typeof createDecipheriv>;

  constructor(@Inject(PERMANENT_SECRET) secret: Buffer) {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit record id', 32));
    // Single, unique blocks: ECB is safe here, and its determinism is required.
    this.#cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    this.#decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  idOf({ logId, seq }: AuditReceipt): string {
    const block = Buffer.alloc(BLOCK);
    block.write(logId, 0, LOG_ID_BYTES, 'hex');
    block.writeUIntBE(seq, LOG_ID_BYTES, SEQ_BYTES);
    return this.#cipher.update(block).toString('hex');
  }

  /** `undefined` for an id not created with this secret. */
  receiptOf(id: string): AuditReceipt | undefined {
    if (!isRecordId(id)) {
      return undefined;
    }
    const block = this.#decipher.update(Buffer.from(id, 'hex'));
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
