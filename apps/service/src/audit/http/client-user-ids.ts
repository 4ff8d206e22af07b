import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * `client_user_id`s as the log may hold them: a team may have made them of names or numbers, so they stand there as an
 * HMAC with a key of the team's own. Whoever has the id and the key finds its records again; nobody else can try ids.
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
    // Made of it once: of bytes, `createHmac` would make one each time, which takes seven times as long.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, '', info, 32)));
    this.#keys.set(teamId, key);
    return key;
  }
}
