import { execFileSync } from 'node:child_process';
import { readBarcode } from '../../src/main/print/read-barcode.testing.ts';

/** Reads the barcode of a PDF's first page as a desk's scanner would: from its dots. Throws where there is none. */
export async function scan(file: string, dotsPerInch = 300): ReturnType<typeof readBarcode> {
  const page = ['-png', '-gray', '-r', String(dotsPerInch), '-f', '1', '-l', '1', file];
  const picture = execFileSync('pdftoppm', page, { maxBuffer: 2 ** 26 });
  return await readBarcode(new Uint8Array(picture));
}
