import type { JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import { canSeal, readSealed, writeAtomically, type SafeStorage } from '../files/atomic-file.ts';
import { DeskKey } from './desk-key.ts';

export interface EnrolledDesk {
  readonly deskId: string;
  readonly name: string;
  readonly key: DeskKey;
  /** When the key was generated, in milliseconds since the epoch. */
  readonly keySince: number;
}

/**
 * Stores this desk's keys, one for each service, encrypted by the system's key store. Without a key store they are kept
 * in memory only.
 */
export class DeskStore {
  readonly #storage: SafeStorage;
  readonly #file: string;
  #desks: ReadonlyMap<string, EnrolledDesk> = new Map();

  constructor(storage: SafeStorage, folder: string) {
    this.#storage = storage;
    this.#file = join(folder, 'desk');
    const stored = readSealed(storage, this.#file);
    const desks = Object.entries((stored ?? {}) as Record<string, unknown>).flatMap(
      ([address, desk]) => {
        const parsed = parseDesk(desk);
        return parsed === undefined ? [] : [[address, parsed] as const];
      },
    );
    this.#desks = new Map(desks);
  }

  get(address: string): EnrolledDesk | undefined {
    return this.#desks.get(address);
  }

  /** Throws if the file can't be written. In that case nothing changes. */
  save(address: string, desk: EnrolledDesk): void {
    const desks = new Map([...this.#desks, [address, desk]]);
    this.#write(desks);
    this.#desks = desks;
  }

  forget(address: string): void {
    if (!this.#desks.has(address)) return;
    this.#desks = new Map([...this.#desks].filter(([stored]) => stored !== address));
    this.#write(this.#desks);
  }

  #write(desks: ReadonlyMap<string, EnrolledDesk>): void {
    if (!canSeal(this.#storage)) return;
    const entries = [...desks].map(([address, { key, ...desk }]) => [
      address,
      { ...desk, key: key.exportJwk() },
    ]);
    const text = JSON.stringify(Object.fromEntries(entries));
    writeAtomically(this.#file, this.#storage.encryptString(text));
  }
}

function parseDesk(stored: unknown): EnrolledDesk | undefined {
  const { deskId, name, key, keySince } = (stored ?? {}) as Record<string, unknown>;
  if (typeof deskId !== 'string' || typeof name !== 'string' || typeof keySince !== 'number') {
    return undefined;
  }
  try {
    return { deskId, name, keySince, key: new DeskKey(key as JsonWebKey) };
  } catch {
    return undefined;
  }
}
