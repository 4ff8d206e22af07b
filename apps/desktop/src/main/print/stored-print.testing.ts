import type { StoredPrint } from './print-store.ts';

export function storedPrint(): StoredPrint {
  return {
    kind: 'labs',
    size: { width: 210, height: 297 },
    media: 'A4',
    pdf: new Uint8Array([1]),
    pages: 2,
    recordIds: ['r'],
    number: 'f'.repeat(32),
    isUsed: false,
    recordedCopies: undefined,
  };
}
