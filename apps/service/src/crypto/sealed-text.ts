import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const MAX_LENGTH = 8192;

/** Encrypts and authenticates text (AES-256-GCM), bound to a context. */
export class SealedText {
  readonly #secret: KeyObject;

  /** @param secret 32 bytes, the same on all instances */
  constructor(secret: Buffer) {
    // With bytes instead of a key object, each cipher would create one.
    this.#secret = createSecretKey(secret);
  }

  seal(text: string, binding: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#secret, nonce).setAAD(Buffer.from(binding));
    const sealed = cipher.update(text, 'utf8');
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  open(sealed: string, binding: string): string | undefined {
    const bytes = Buffer.from(sealed.slice(0, MAX_LENGTH), 'base64url');
    // Decoding ignores invalid characters and trailing bits, so accept only the canonical encoding.
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
