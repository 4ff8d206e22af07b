import { timingSafeEqual } from 'node:crypto';
import { LruMap } from 'toad-cache';
import type { PresentedKey } from './key-format.ts';
import type { KeyRow } from './key-lookup.ts';

const MOST_CACHED = 1000;

interface CachedKey<Made> {
  readonly row: KeyRow;
  readonly made: Made;
}

/**
 * Caches authenticated keys until the database changes, which each use checks: a revocation takes effect for the next
 * request. Refusals are not cached, so that they cost the same lookups whether a key exists or not.
 */
export class KeyCache<Made> {
  readonly #version: () => number;
  readonly #nobodysHash: Uint8Array;
  readonly #cached = new LruMap<CachedKey<Made>>(MOST_CACHED);
  #cachedAt: number | undefined;

  /** @param version changes whenever the database does */
  constructor(version: () => number, nobodysHash: Uint8Array) {
    this.#version = version;
    this.#nobodysHash = nobodysHash;
  }

  /** The version last asked for; rows read from now on are at least as new. */
  get cachedAt(): number | undefined {
    return this.#cachedAt;
  }

  /** Undefined if the key is unknown or anything has changed since. */
  find({ keyId, secretHash }: PresentedKey): CachedKey<Made> | undefined {
    const version = this.#version();
    if (version !== this.#cachedAt) {
      this.#cached.clear();
      this.#cachedAt = version;
    }
    const cached = this.#cached.get(keyId);
    const same = timingSafeEqual(secretHash, cached?.row.secret_hash ?? this.#nobodysHash);
    return same ? cached : undefined;
  }

  /** @param readAt `cachedAt` before the row was read; ignored if the version has changed since */
  add(cached: CachedKey<Made>, readAt: number | undefined): void {
    if (readAt !== undefined && readAt === this.#cachedAt) {
      this.#cached.set(cached.row.key_id, cached);
    }
  }
}
