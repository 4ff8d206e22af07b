import type { SafeStorage } from './sealed-file.ts';

/** Stands for a system's key store, which a machine that runs tests has none of: sealed is not readable as it is. */
export function sealedByXor(backend?: string, available = true): SafeStorage {
  return {
    isEncryptionAvailable: () => available,
    encryptString: (text) => Buffer.from(text).map((byte) => byte ^ 0x5a) as Buffer,
    decryptString: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 0x5a)).toString(),
    ...(backend !== undefined && { getSelectedStorageBackend: () => backend }),
  };
}
