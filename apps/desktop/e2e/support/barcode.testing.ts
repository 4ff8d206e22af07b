import { execFileSync } from 'node:child_process';
import {
  BinaryBitmap,
  Code128Reader,
  DataMatrixReader,
  DecodeHintType,
  HybridBinarizer,
  RGBLuminanceSource,
} from '@zxing/library';

/** What a reader finds in a picture of a page. */
export interface Scanned {
  readonly format: 'CODE_128' | 'DATA_MATRIX';
  readonly text: string;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0 is black. */
  readonly grey: Uint8ClampedArray;
}

const hints = new Map<DecodeHintType, unknown>([[DecodeHintType.TRY_HARDER, true]]);

/** Reads the barcode of a PDF's first page as a desk's scanner would: from its dots. Throws where there is none. */
export function scan(file: string, dotsPerInch = 300): Scanned {
  const page = pictureOf(file, dotsPerInch);
  const bars = attempt(() => new Code128Reader().decode(bitmapOf(page), hints).getText());
  if (bars !== undefined) return { format: 'CODE_128', text: bars };
  // The matrix stands alone at one of the sides: a scanner is pointed at it.
  for (const fromEnd of [true, false]) {
    const part = outermost(page, (dotsPerInch / 25.4) * 1.2, fromEnd);
    const matrix = attempt(() => new DataMatrixReader().decode(bitmapOf(part), hints).getText());
    if (matrix !== undefined) return { format: 'DATA_MATRIX', text: matrix };
  }
  throw new Error(`No barcode was found in ${file}.`);
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function bitmapOf({ width, height, grey }: Picture): BinaryBitmap {
  return new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)));
}

/** The columns of what stands outermost on one side, up to a gap of so many dots, with white around them. */
function outermost({ width, height, grey }: Picture, gap: number, fromEnd: boolean): Picture {
  const hasInk = (column: number): boolean => {
    for (let row = 0; row < height; row += 1) if (grey[row * width + column]! < 128) return true;
    return false;
  };
  const columns = Array.from({ length: width }, (_, at) => (fromEnd ? width - 1 - at : at));
  const first = columns.findIndex(hasInk);
  let last = first;
  for (let at = first; at < width && at - last < gap; at += 1) if (hasInk(columns[at]!)) last = at;
  const [left, right] = [columns[first]!, columns[last]!].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  const around = 40;
  const wide = right - left + 1 + 2 * around;
  const part = new Uint8ClampedArray(wide * (height + 2 * around)).fill(255);
  for (let row = 0; row < height; row += 1) {
    part.set(
      grey.subarray(row * width + left, row * width + right + 1),
      (row + around) * wide + around,
    );
  }
  return { width: wide, height: height + 2 * around, grey: part };
}

/** The page as poppler draws it, a byte for each dot (PGM, `P5`). */
function pictureOf(file: string, dotsPerInch: number): Picture {
  const pgm = execFileSync(
    'pdftoppm',
    ['-gray', '-r', String(dotsPerInch), '-f', '1', '-l', '1', file],
    { maxBuffer: 2 ** 26 },
  );
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/u.exec(pgm.subarray(0, 64).toString('latin1'));
  if (head === null) throw new Error('No PGM.');
  const [all, width, height] = head;
  return {
    width: Number(width),
    height: Number(height),
    grey: new Uint8ClampedArray(pgm.subarray(all.length)),
  };
}
