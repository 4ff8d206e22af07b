import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Pseudonyms of `client_user_id`s for the log: the ids could contain personal data, so the log has an HMAC with a key per
 * team. With the id and the key its records can be found; without the key, ids cannot be guessed.
 */
export class ClientUserIds {
  readonly #secret: Buffer;
  readonly #keys = new Map<string, KeyObject>();

  /** @param secret 32 bytes that stay the same for the data folder */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** HMAC-SHA256, base64url. */
  hidden(teamId: string, clientUserId: string): string {
    return createHmac('sha256', this.#keyOf(teamId)).update(clientUserId).digest('base64url');
  }

  #keyOf(teamId: string): KeyObject {
    const known = this.#keys.get(teamId);
    if (known !== undefined) {
      return known;
    }
    const info = `caregate audit client_user_id ${teamId}`;
    // A key object: with bytes, `createHmac` would create one each time, which is seven times slower.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, '', info, 32)));
    this.#keys.set(teamId, key);
    return key;
  }
}
