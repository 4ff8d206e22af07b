import { code128, datamatrix, drawingSVG } from 'bwip-js/generic';

/** A barcode as SVG paths, to be stretched to its size; `modules` is its width. */
export interface Barcode {
  readonly modules: number;
  readonly svg: string;
}

/** Characters that all readers decode alike: ISO/IEC 15417 set B; ISO/IEC 8859-1. */
const inCode128 = /^[\x20-\x7e]+$/u;
const inDataMatrix = /^[\x20-\x7e\xa0-\xff]+$/u;

export function code128Of(id: string): Barcode | undefined {
  if (!inCode128.test(id)) return undefined;
  return drawn(() => code128({ bcid: 'code128', text: id, scale: 1, height: 10 }, drawingSVG()), 1);
}

export function dataMatrixOf(id: string): Barcode | undefined {
  if (!inDataMatrix.test(id)) return undefined;
  const options = { bcid: 'datamatrix', text: id, scale: 1, binarytext: true };
  // Drawn two units a module.
  return drawn(() => datamatrix(options, drawingSVG()), 2);
}

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
