import { isAbsolute, join } from 'node:path';
import { deleteWhole, writeWhole, canSeal, readSealed } from '../files/whole-file.ts';
import type { SafeStorage } from '../files/whole-file.ts';

/** Stored only between a sign-out and the next sign-in: a killed program, locked or not, leaves no key on the disk. */
export class KeyStore {
  readonly #storage: SafeStorage;
  readonly #file: string;
  /** Encrypted; not on the disk. */
  #staged: Buffer | undefined;

  constructor(storage: SafeStorage, folder: string) {
    if (!isAbsolute(folder)) throw new TypeError('The folder must be absolute.');
    this.#storage = storage;
    this.#file = join(folder, 'staff-key');
  }

  canSave(): boolean {
    return canSeal(this.#storage);
  }

  isStaged(): boolean {
    return this.#staged !== undefined;
  }

  /** At sign-in: to be saved at sign-out. Deletes the saved key; throws if it can't. */
  stage(address: string, key: string): void {
    this.delete();
    if (this.canSave())
      this.#staged = this.#storage.encryptString(JSON.stringify({ address, key }));
  }

  /** At sign-out. Ignores failures. */
  save(): void {
    const encrypted = this.#staged;
    this.#staged = undefined;
    if (encrypted === undefined) return;
    try {
      writeWhole(this.#file, encrypted);
    } catch {
      // Nothing is saved.
    }
  }

  load(address: string): string | undefined {
    const stored = readSealed(this.#storage, this.#file);
    const { address: whose, key } = (stored ?? {}) as Record<string, unknown>;
    return whose === address && typeof key === 'string' ? key : undefined;
  }

  /** Throws if the file can't be deleted. */
  delete(): void {
    this.discard();
    deleteWhole(this.#file);
  }

  discard(): void {
    this.#staged = undefined;
  }
}
