import type { Paper, Size } from '../../shared/print-kinds.ts';

/** Millimetres, with the margins that have no text. */
interface PaperSize extends Size {
  readonly sides: number;
  readonly top: number;
  readonly bottom: number;
}

/** ISO 216, ANSI, and ISO/IEC 7810 ID-1. */
export const PAPER_SIZES: Readonly<Record<Paper, PaperSize>> = {
  a4: { width: 210, height: 297, sides: 14, top: 10, bottom: 8 },
  letter: { width: 215.9, height: 279.4, sides: 14, top: 10, bottom: 8 },
  card: { width: 85.6, height: 53.98, sides: 4, top: 2, bottom: 2 },
};

export function mediaOf({ width, height }: Size, paper?: Paper): string {
  if (paper === 'a4') return 'A4';
  if (paper === 'letter') return 'Letter';
  return `Custom.${String(width)}x${String(height)}mm`;
}
