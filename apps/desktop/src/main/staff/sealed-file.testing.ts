import type { SafeStorage } from './sealed-file.ts';

/** Stands for a system's key store, which a machine that runs tests has none of: sealed is not readable as it is. */
export function sealedByXor(backend?: string, available = true, key = 0x5a): SafeStorage {
  return {
    isEncryptionAvailable: () => available,
    encryptString: (text) => Buffer.from(text).map((byte) => byte ^ key) as Buffer,
    decryptString: (sealed) => Buffer.from(sealed.map((byte) => byte ^ key)).toString(),
    ...(backend !== undefined && { getSelectedStorageBackend: () => backend }),
  };
}
