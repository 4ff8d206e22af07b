import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
  getSelectedStorageBackend?(): string;
}

/** On Linux, `basic_text` encrypts with a known password. */
export function canSeal(storage: SafeStorage): boolean {
  if (!storage.isEncryptionAvailable()) return false;
  const backend = storage.getSelectedStorageBackend?.();
  return backend !== 'basic_text' && backend !== 'unknown';
}

/** Atomic. Throws if it can't be written. */
export function writeSealed(file: string, encrypted: Buffer): void {
  const unfinished = `${file}.new`;
  try {
    writeFileSync(unfinished, encrypted, { mode: 0o600 });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Undefined if there is none, or it can't be decrypted. */
export function readSealed(storage: SafeStorage, file: string): unknown {
  if (!canSeal(storage)) return undefined;
  try {
    return JSON.parse(storage.decryptString(readFileSync(file)));
  } catch {
    return undefined;
  }
}
