import { described } from './schema.ts';
import type { Schema } from './schema.ts';

/** The papers of documents. Apart from their schemas, which the settings have no use for. */
export const PAPERS = ['a4', 'letter', 'card'] as const;
export type Paper = (typeof PAPERS)[number];

/** The documents that are laid out on them; a file is named by its kind, so none names a patient. */
export const PRINT_KINDS = ['insurance', 'labs', 'disclosures'] as const;
export type PrintKind = (typeof PRINT_KINDS)[number];

/** Stands in a footer for the print's own number, which main puts there. Of the private use area: no text has it. */
export const PRINT_NUMBER = '\uE002';

/** Millimetres. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Sizes that every desk has, as width x height in millimetres; the computer's policy may add others. */
export const LABEL_SIZES = ['54x25', '57x32'] as const;

/** What a label must have room for at the least, and what a label printer takes at the most; millimetres. */
const least = { width: 40, height: 20 };
const most = { width: 150, height: 150 };

/** The millimetres of a size such as "54x25" or "62.5x29"; undefined where it is none. */
export function labelSizeOf(size: string): Size | undefined {
  const [, wide, high] = /^([1-9]\d{1,2}(?:\.\d)?)x([1-9]\d{1,2}(?:\.\d)?)$/u.exec(size) ?? [];
  if (wide === undefined || high === undefined) return undefined;
  const { width, height } = { width: Number(wide), height: Number(high) };
  const fits =
    width >= least.width && height >= least.height && width <= most.width && height <= most.height;
  return fits ? { width, height } : undefined;
}

export const labelSize: Schema<string> = described(
  { type: 'string', pattern: '^[1-9]\\d{1,2}(\\.\\d)?x[1-9]\\d{1,2}(\\.\\d)?$' },
  (value) =>
    typeof value === 'string' && labelSizeOf(value) !== undefined
      ? { ok: true, value }
      : {
          ok: false,
          issues: [{ message: `must be a size from 40x20 to 150x150, in millimetres` }],
        },
);
