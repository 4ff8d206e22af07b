import { SealedText } from './sealed-text.ts';

export interface CursorSecret {
  readonly secret: Uint8Array;
  readonly untilMs: number;
}

/** Time in milliseconds after which an instance must read again which secrets are valid. */
const REFRESH_INTERVAL_MS = 60_000;

/** Encrypts cursors with the newest secret, and decrypts them with any valid one. */
export class CursorSeal {
  readonly #read: () => Promise<readonly CursorSecret[]>;
  readonly #now: () => number;
  #secrets: readonly { readonly sealed: SealedText; readonly untilMs: number }[] = [];
  #readMs = -Infinity;

  /** @param read returns the valid secrets, newest first */
  constructor(read: () => Promise<readonly CursorSecret[]>, now: () => number) {
    this.#read = read;
    this.#now = now;
  }

  async seal(text: string, binding: string): Promise<string> {
    await this.#refreshIfStale();
    const [newest] = this.#secrets;
    if (newest === undefined) {
      throw new Error('There is no secret for cursors');
    }
    return newest.sealed.seal(text, binding);
  }

  /** Returns undefined if no valid secret decrypts the cursor, or its binding differs. */
  async open(cursor: string, binding: string): Promise<string | undefined> {
    await this.#refreshIfStale();
    const opened = this.#decrypt(cursor, binding);
    if (opened !== undefined) {
      return opened;
    }
    // Another instance may have encrypted it with a newer secret.
    await this.#refresh();
    return this.#decrypt(cursor, binding);
  }

  #decrypt(cursor: string, binding: string): string | undefined {
    const now = this.#now();
    for (const { sealed, untilMs } of this.#secrets) {
      const text = now < untilMs ? sealed.open(cursor, binding) : undefined;
      if (text !== undefined) {
        return text;
      }
    }
    return undefined;
  }

  async #refreshIfStale(): Promise<void> {
    if (Math.abs(this.#now() - this.#readMs) >= REFRESH_INTERVAL_MS) {
      await this.#refresh();
    }
  }

  async #refresh(): Promise<void> {
    const now = this.#now();
    const secrets = await this.#read();
    this.#secrets = secrets.map(({ secret, untilMs }) => ({
      sealed: new SealedText(Buffer.from(secret)),
      untilMs,
    }));
    this.#readMs = now;
  }
}
