import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const program = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(program)).buffer } });

/** The one barcode in a picture (PNG or pixels), as a desk's scanner finds it. @throws Error where there is none */
export async function readBarcode(
  picture: Parameters<typeof readBarcodes>[0],
): Promise<{ readonly format: string; readonly text: string }> {
  const [found] = await readBarcodes(picture, {
    formats: ['Code128', 'DataMatrix'],
    // The standard's own, in place of a guess.
    characterSet: 'ISO8859_1',
  });
  if (found === undefined) throw new Error('No barcode was found.');
  return { format: found.format, text: found.text };
}
