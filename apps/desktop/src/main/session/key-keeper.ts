import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The part of Electron's safeStorage that is used. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
  /** Linux only. */
  getSelectedStorageBackend?(): string;
}

/**
 * Keeps one staff key for the next sign-in, sealed by the operating system's key store, with the address that it
 * belongs to. Where the system has no such store (on Linux, the backend `basic_text` seals with a password anyone
 * knows), nothing is kept.
 *
 * The file is there only between an ordinary sign-out and the next sign-in. A program that is killed, while it is
 * locked or not, therefore leaves nothing behind that opens it again.
 */
export class KeyKeeper {
  readonly #storage: SafeStorage;
  readonly #file: string;
  /** Of whoever is signed in, sealed; not on the disk. */
  #held: Buffer | undefined;

  constructor(storage: SafeStorage, folder: string) {
    if (!isAbsolute(folder)) throw new TypeError('The folder must be absolute.');
    this.#storage = storage;
    this.#file = join(folder, 'staff-key');
  }

  canKeep(): boolean {
    if (!this.#storage.isEncryptionAvailable()) return false;
    const backend = this.#storage.getSelectedStorageBackend?.();
    return backend !== 'basic_text' && backend !== 'unknown';
  }

  /** Whether a key will be kept at the sign-out. */
  holds(): boolean {
    return this.#held !== undefined;
  }

  /** At a sign-in: holds this key for the sign-out. Whatever was kept before is gone; throws where it can't be. */
  hold(address: string, key: string): void {
    this.forget();
    if (this.canKeep()) this.#held = this.#storage.encryptString(JSON.stringify({ address, key }));
  }

  /** At an ordinary sign-out: writes what is held. Where it can't be written, nothing is kept. */
  keep(): void {
    const sealed = this.#held;
    this.#held = undefined;
    if (sealed === undefined) return;
    try {
      writeFileSync(this.#half, sealed, { mode: 0o600 });
      renameSync(this.#half, this.#file);
    } catch {
      rmSync(this.#half, { force: true });
    }
  }

  /** The kept key of this address; undefined where there is none, or it can't be opened any more. */
  kept(address: string): string | undefined {
    if (!existsSync(this.#file) || !this.canKeep()) return undefined;
    try {
      const opened: unknown = JSON.parse(this.#storage.decryptString(readFileSync(this.#file)));
      const { address: whose, key } = opened as Record<string, unknown>;
      return whose === address && typeof key === 'string' ? key : undefined;
    } catch {
      return undefined;
    }
  }

  /** Throws where the file can't be removed. */
  forget(): void {
    this.drop();
    rmSync(this.#half, { force: true });
    rmSync(this.#file, { force: true });
  }

  /** What is held won't be kept. */
  drop(): void {
    this.#held = undefined;
  }

  get #half(): string {
    return `${this.#file}.new`;
  }
}
