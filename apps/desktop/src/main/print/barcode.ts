import { code128, datamatrix, drawingSVG } from 'bwip-js/generic';

/** A barcode as vectors, and how many modules it is wide and high; the bars of a linear one are as high as one likes. */
export interface Barcode {
  readonly modules: number;
  /** An `svg` element of paths alone, to be stretched to its size. */
  readonly svg: string;
}

/** What each symbology carries without an escape that readers disagree on: ISO/IEC 15417 set B; ISO/IEC 8859-1. */
const inCode128 = /^[\x20-\x7e]+$/u;
const inDataMatrix = /^[\x20-\x7e\xa0-\xff]+$/u;

/** The id as Code 128, digits in pairs where that is shorter; undefined where it has other characters. */
export function code128Of(id: string): Barcode | undefined {
  if (!inCode128.test(id)) return undefined;
  return drawn(() => code128({ bcid: 'code128', text: id, scale: 1, height: 10 }, drawingSVG()), 1);
}

/** The id as a square Data Matrix (ECC 200); undefined where it has other characters, or too many. */
export function dataMatrixOf(id: string): Barcode | undefined {
  if (!inDataMatrix.test(id)) return undefined;
  const options = { bcid: 'datamatrix', text: id, scale: 1, binarytext: true };
  // Drawn two units a module.
  return drawn(() => datamatrix(options, drawingSVG()), 2);
}

/** Undefined where the encoder refuses. */
function drawn(draw: () => string, unitsPerModule: number): Barcode | undefined {
  let found: string;
  try {
    found = draw();
  } catch {
    return undefined;
  }
  const wide = Number(/viewBox="0 0 (\d+) \d+"/u.exec(found)?.[1]);
  if (!(wide > 0)) return undefined;
  const svg = found.replace('<svg ', '<svg class="code" preserveAspectRatio="none" ');
  return { modules: wide / unitsPerModule, svg };
}
