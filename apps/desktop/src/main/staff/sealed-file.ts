import { readJson } from '../files/whole-file.ts';

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

/** Undefined if there is none, or it can't be decrypted. */
export function readSealed(storage: SafeStorage, file: string): unknown {
  return canSeal(storage) ? readJson(file, (sealed) => storage.decryptString(sealed)) : undefined;
}
