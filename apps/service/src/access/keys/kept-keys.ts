import { timingSafeEqual } from 'node:crypto';
import { LruMap } from 'toad-cache';
import type { PresentedKey } from './key-format.ts';
import type { KeyRow } from './key-lookup.ts';

const MOST_KEPT = 1000;

/** A key that was authenticated: its row, and what was made of that. */
interface Kept<Made> {
  readonly row: KeyRow;
  readonly made: Made;
}

/**
 * Keys that were authenticated, for as long as nothing changes in their database. Each use asks the database whether anything
 * has, so that a revocation takes effect for the next request. What is refused is never kept, so that a refusal takes the
 * same look-ups whether its key exists or not.
 */
export class KeptKeys<Made> {
  readonly #version: () => number;
  readonly #nobodysHash: Uint8Array;
  readonly #kept = new LruMap<Kept<Made>>(MOST_KEPT);
  #keptAt: number | undefined;

  /**
   * @param version another one if the database has changed since it was asked last, whoever changed it
   * @param nobodysHash compared where nothing is kept
   */
  constructor(version: () => number, nobodysHash: Uint8Array) {
    this.#version = version;
    this.#nobodysHash = nobodysHash;
  }

  /** The version that was asked last. Rows that are read from now on are at least as new. */
  get keptAt(): number | undefined {
    return this.#keptAt;
  }

  /** What was kept of a key with this secret, if nothing has changed since. */
  find({ keyId, secretHash }: PresentedKey): Kept<Made> | undefined {
    const version = this.#version();
    if (version !== this.#keptAt) {
      this.#kept.clear();
      this.#keptAt = version;
    }
    const kept = this.#kept.get(keyId);
    const same = timingSafeEqual(secretHash, kept?.row.secret_hash ?? this.#nobodysHash);
    return same ? kept : undefined;
  }

  /** @param readAt {@link keptAt} before the row was read: if another version was asked since, the row may be old */
  keep(kept: Kept<Made>, readAt: number | undefined): void {
    if (readAt !== undefined && readAt === this.#keptAt) {
      this.#kept.set(kept.row.key_id, kept);
    }
  }
}
