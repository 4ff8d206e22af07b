/** This module is separate from `print.ts`, so that the settings don't load the schemas of documents. */
export const PAPERS = ['letter', 'a4'] as const;
export type Paper = (typeof PAPERS)[number];

/** Kinds of documents. A saved file is named by its kind, so a kind must not name a patient. */
export const PRINT_KINDS = ['insurance', 'labs', 'disclosures'] as const;
export type PrintKind = (typeof PRINT_KINDS)[number];

/** A private-use character that stands for the print number in a footer. */
export const PRINT_NUMBER = '\uE002';

/** A size in millimeters. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Width x height in millimeters. A policy may add other sizes. */
export const LABEL_SIZES = ['57x32', '54x25'] as const;

const minSize = { width: 40, height: 20 };
const maxSize = { width: 150, height: 150 };

export function parseLabelSize(size: string): Size | undefined {
  const [, wide, high] = /^([1-9]\d{1,2}(?:\.\d)?)x([1-9]\d{1,2}(?:\.\d)?)$/u.exec(size) ?? [];
  if (wide === undefined || high === undefined) return undefined;
  const { width, height } = { width: Number(wide), height: Number(high) };
  const fits =
    width >= minSize.width &&
    height >= minSize.height &&
    width <= maxSize.width &&
    height <= maxSize.height;
  return fits ? { width, height } : undefined;
}
