import type { JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import { canSeal, readSealed, writeWhole } from '../files/whole-file.ts';
import type { SafeStorage } from '../files/whole-file.ts';
import { DeskKey } from './desk-key.ts';

export interface EnrolledDesk {
  readonly deskId: string;
  readonly name: string;
  readonly key: DeskKey;
}

/** Keeps this desk's keys, one per service, sealed by the system's key store; without one, in memory only. */
export class DeskStore {
  readonly #storage: SafeStorage;
  readonly #file: string;
  readonly #desks = new Map<string, EnrolledDesk>();

  constructor(storage: SafeStorage, folder: string) {
    this.#storage = storage;
    this.#file = join(folder, 'desk');
    const stored = readSealed(storage, this.#file);
    for (const [address, desk] of Object.entries((stored ?? {}) as Record<string, unknown>)) {
      const known = deskOf(desk);
      if (known !== undefined) this.#desks.set(address, known);
    }
  }

  of(address: string): EnrolledDesk | undefined {
    return this.#desks.get(address);
  }

  keep(address: string, desk: EnrolledDesk): void {
    this.#desks.set(address, desk);
    this.#write();
  }

  forget(address: string): void {
    if (this.#desks.delete(address)) this.#write();
  }

  #write(): void {
    if (!canSeal(this.#storage)) return;
    const all = [...this.#desks].map(([address, { deskId, name, key }]) => [
      address,
      { deskId, name, key: key.sealable() },
    ]);
    const text = JSON.stringify(Object.fromEntries(all));
    writeWhole(this.#file, this.#storage.encryptString(text));
  }
}

function deskOf(stored: unknown): EnrolledDesk | undefined {
  const { deskId, name, key } = (stored ?? {}) as Record<string, unknown>;
  if (typeof deskId !== 'string' || typeof name !== 'string') return undefined;
  try {
    return { deskId, name, key: new DeskKey(key as JsonWebKey) };
  } catch {
    return undefined;
  }
}
