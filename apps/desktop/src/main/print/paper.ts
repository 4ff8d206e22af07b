import type { Paper } from '../../bridge/print.ts';

/** Millimetres. */
export interface PaperSize {
  readonly width: number;
  readonly height: number;
  /** Top, sides, and the bottom with the footer in it. */
  readonly margin: readonly [top: number, sides: number, bottom: number];
}

/** ISO 216, ANSI, and ISO/IEC 7810 ID-1. */
export const PAPER_SIZES: Readonly<Record<Paper, PaperSize>> = {
  a4: { width: 210, height: 297, margin: [18, 18, 26] },
  letter: { width: 215.9, height: 279.4, margin: [18, 18, 26] },
  card: { width: 85.6, height: 53.98, margin: [3, 4, 9.5] },
};
