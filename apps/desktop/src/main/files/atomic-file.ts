import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Replaces the file completely or not at all, even if the power fails. Only the current user can read it. */
export function writeAtomically(path: string, content: string | Buffer): void {
  const unfinished = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(unfinished, content, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
    // Windows can't open a folder.
    if (process.platform !== 'win32') syncFolder(dirname(path));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns undefined if the file is missing or isn't valid JSON. */
export function readJson(path: string, decode = (content: Buffer) => content.toString()): unknown {
  try {
    return JSON.parse(decode(readFileSync(path)));
  } catch {
    return undefined;
  }
}

export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
  getSelectedStorageBackend?(): string;
}

/** On Linux, the `basic_text` backend encrypts with a well-known password, so it doesn't count. */
export function canSeal(storage: SafeStorage): boolean {
  if (!storage.isEncryptionAvailable()) return false;
  const backend = storage.getSelectedStorageBackend?.();
  return backend !== 'basic_text' && backend !== 'unknown';
}

export function readSealed(storage: SafeStorage, file: string): unknown {
  return canSeal(storage) ? readJson(file, (sealed) => storage.decryptString(sealed)) : undefined;
}
