import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { folded } from '../../source/people/name-text.ts';

/**
 * Pseudonyms of `client_user_id`s and searched texts for the log: they could contain personal data, so the log has an HMAC with a key per
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
    return this.#hmac(`client_user_id ${teamId}`, clientUserId);
  }

  /** The same for a text that was searched, as it is compared: without case, accents and repeated spaces. */
  hiddenSearch(teamId: string, text: string): string {
    return this.#hmac(`search ${teamId}`, folded(text).trim().replaceAll(/\s+/gu, ' '));
  }

  #hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.#keyOf(purpose)).update(text).digest('base64url');
  }

  #keyOf(purpose: string): KeyObject {
    const known = this.#keys.get(purpose);
    if (known !== undefined) {
      return known;
    }
    const info = `caregate audit ${purpose}`;
    // A key object: with bytes, `createHmac` would create one each time, which is seven times slower.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, '', info, 32)));
    this.#keys.set(purpose, key);
    return key;
  }
}
