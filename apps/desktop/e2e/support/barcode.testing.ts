import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const program = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(program)).buffer } });

/**
 * Reads the barcode on the first page of a PDF as a scanner would.
 *
 * @throws Error if there is none
 */
export async function scan(
  file: string,
  dotsPerInch = 300,
): Promise<{ readonly format: string; readonly text: string }> {
  const page = ['-png', '-gray', '-r', String(dotsPerInch), '-f', '1', '-l', '1', file];
  const picture = execFileSync('pdftoppm', page, { maxBuffer: 2 ** 26 });
  const [found] = await readBarcodes(new Uint8Array(picture), {
    formats: ['Code128', 'DataMatrix'],
    // The reader would otherwise guess the character set.
    characterSet: 'ISO8859_1',
  });
  if (found === undefined) throw new Error('No barcode was found.');
  return { format: found.format, text: found.text };
}
