import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { folded } from '../../source/people/name-text.ts';

/** Pseudonyms for the log of `client_user_id`s and searched texts, which could be personal data: an HMAC with a key per team. */
export class ClientUserIds {
  readonly #secret: Buffer;
  readonly #keys = new Map<string, KeyObject>();

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  hidden(teamId: string, clientUserId: string): string {
    return this.#hmac(`client_user_id ${teamId}`, clientUserId);
  }

  /** For a searched text, without case, accents and repeated spaces. */
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
    // With bytes, `createHmac` would create a key each time, which is seven times slower.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, '', info, 32)));
    this.#keys.set(purpose, key);
    return key;
  }
}
