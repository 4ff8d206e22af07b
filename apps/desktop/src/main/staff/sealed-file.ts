import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The part of Electron's safeStorage that is used. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
  /** Linux only. */
  getSelectedStorageBackend?(): string;
}

/** Whether the system has a key store: on Linux, `basic_text` encrypts with a password that anyone knows. */
export function canSeal(storage: SafeStorage): boolean {
  if (!storage.isEncryptionAvailable()) return false;
  const backend = storage.getSelectedStorageBackend?.();
  return backend !== 'basic_text' && backend !== 'unknown';
}

/** Written whole or not at all; where it can't be written, throws, and leaves nothing half done. */
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

/** What was sealed, as JSON; undefined where there is none, or it can't be decrypted any more. */
export function readSealed(storage: SafeStorage, file: string): unknown {
  if (!canSeal(storage)) return undefined;
  try {
    return JSON.parse(storage.decryptString(readFileSync(file)));
  } catch {
    return undefined;
  }
}
