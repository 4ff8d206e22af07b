import type { SafeStorage } from './atomic-file.ts';

/** Stands in for the system's key store. Sealed texts are not readable as plain text. */
export function sealedByXor(backend?: string, available = true, key = 0x5a): SafeStorage {
  return {
    isEncryptionAvailable: () => available,
    encryptString: (text) => Buffer.from(text).map((byte) => byte ^ key) as Buffer,
    decryptString: (sealed) => Buffer.from(sealed.map((byte) => byte ^ key)).toString(),
    ...(backend !== undefined && { getSelectedStorageBackend: () => backend }),
  };
}
