import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { AuditReceipt } from '@caregate/audit-log';
import { Inject, Injectable } from '@nestjs/common';
import { PERMANENT_SECRET } from '../common/tokens.ts';

const BLOCK = 16;
const LOG_ID_BYTES = 6;
const SEQ_BYTES = 6;

/**
 * Encrypts log ID and position as one AES-256 block. Without the key, a record ID doesn't reveal the number of
 * records.
 */
@Injectable()
export class RecordIds {
  /** Reused, since creating a cipher takes twenty times as long as encrypting a block. */
  readonly #cipher: ReturnType<typeof createCipheriv>;
  readonly #decipher: ReturnType<typeof createDecipheriv>;

  constructor(@Inject(PERMANENT_SECRET) secret: Buffer) {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'caregate audit record id', 32));
    // ECB is safe for single, unique blocks, and its determinism is required.
    this.#cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    this.#decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  }

  encrypt({ logId, seq }: AuditReceipt): string {
    const block = Buffer.alloc(BLOCK);
    block.write(logId, 0, LOG_ID_BYTES, 'hex');
    block.writeUIntBE(seq, LOG_ID_BYTES, SEQ_BYTES);
    return this.#cipher.update(block).toString('hex');
  }

  /** Returns undefined for an ID that was not created with this secret. */
  decrypt(id: string): AuditReceipt | undefined {
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
