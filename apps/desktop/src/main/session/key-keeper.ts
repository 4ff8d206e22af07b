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
 * Keeps one staff key, sealed by the operating system's key store, with the address that it belongs to. Where the
 * system has no such store (on Linux, the backend `basic_text` seals with a password anyone knows), nothing is kept.
 */
export class KeyKeeper {
  readonly #storage: SafeStorage;
  readonly #file: string;

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

  /** Gives whether it was kept. */
  keep(address: string, key: string): boolean {
    if (!this.canKeep()) return false;
    const sealed = this.#storage.encryptString(JSON.stringify({ address, key }));
    const half = `${this.#file}.new`;
    writeFileSync(half, sealed, { mode: 0o600 });
    renameSync(half, this.#file);
    return true;
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

  forget(): void {
    rmSync(this.#file, { force: true });
  }
}
