import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PointKey, PointsQuery } from '../../source/health-data-source.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Far longer than any cursor made here, and short enough to decode without a thought. */
const MAX_CURSOR_LENGTH = 8192;

/** What a cursor belongs to. With anything else it cannot be opened. */
export interface CursorScope extends Pick<
  PointsQuery,
  'userId' | 'fromUs' | 'untilUs' | 'provider'
> {
  readonly teamId: string;
}

/**
 * Cursors: the place where the next page begins, sealed (AES-256-GCM) so that nobody can make, alter or read one, and
 * bound to the team, the user and the query as additional authenticated data. Nothing is kept on the server.
 */
export class Cursors {
  readonly #secret: Buffer;

  /** @param secret 32 bytes, the same on every process that answers */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  seal(position: PointKey, scope: CursorScope): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#secret, nonce).setAAD(binding(scope));
    const { startUs, provider, type, endUs } = position;
    const sealed = cipher.update(JSON.stringify([startUs, provider, type, endUs]), 'utf8');
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  /** The place a cursor stands for; `undefined` for one that was not made here for this team, user and query. */
  open(cursor: string, scope: CursorScope): PointKey | undefined {
    const bytes = Buffer.from(cursor.slice(0, MAX_CURSOR_LENGTH), 'base64url');
    // Decoding forgives strange characters and loose bits at the end: one cursor has one spelling.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) {
      return undefined;
    }
    const decipher = createDecipheriv('aes-256-gcm', this.#secret, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(binding(scope)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      const text = Buffer.concat([opened, decipher.final()]).toString('utf8');
      // Authenticated: it is what `seal` wrote.
      const [startUs, provider, type, endUs] = JSON.parse(text) as [number, string, string, number];
      return { startUs, provider, type, endUs };
    } catch {
      return undefined;
    }
  }
}

/** JSON keeps the parts apart whatever they hold; the word and number in front make room for another form later. */
function binding({ teamId, userId, fromUs, untilUs, provider }: CursorScope): Buffer {
  return Buffer.from(
    JSON.stringify([
      'mindfulness_minutes 1',
      teamId.toLowerCase(),
      userId.toLowerCase(),
      fromUs,
      untilUs ?? null,
      provider ?? '',
    ]),
  );
}
