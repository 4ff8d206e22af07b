import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Far longer than anything sealed here, and short enough to decode without a thought. */
const MAX_LENGTH = 8192;

/** Text, sealed (AES-256-GCM) so that nobody can make, alter or read it, and bound to what it belongs to. */
export class SealedText {
  readonly #secret: Buffer;

  /** @param secret 32 bytes, the same on every process that answers */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** @param binding additional authenticated data: with any other it can't be opened */
  seal(text: string, binding: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#secret, nonce).setAAD(Buffer.from(binding));
    const sealed = cipher.update(text, 'utf8');
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  /** The text; `undefined` for what was not sealed here with this binding. */
  open(sealed: string, binding: string): string | undefined {
    const bytes = Buffer.from(sealed.slice(0, MAX_LENGTH), 'base64url');
    // Decoding forgives strange characters and loose bits at the end: one sealed text has one spelling.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) {
      return undefined;
    }
    const decipher = createDecipheriv('aes-256-gcm', this.#secret, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
