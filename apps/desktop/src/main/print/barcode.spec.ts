import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { code128Of, dataMatrixOf } from './barcode.ts';
import type { Barcode } from './barcode.ts';
import { readBarcode } from './read-barcode.testing.ts';

/** So many dots a module, as the finest label has on a printer of 300 dpi. */
const dots = 3;
const quiet = 12;

/** Draws a code's paths, dot for dot, with its quiet zone; `isDark` says of a point, in units of the drawing. */
function drawn(wide: number, high: number, isDark: (x: number, y: number) => boolean) {
  const [width, height] = [(wide + 2 * quiet) * dots, (high + 2 * quiet) * dots];
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let y = 0; y < high * dots; y += 1) {
    for (let x = 0; x < wide * dots; x += 1) {
      if (!isDark((x + 0.5) / dots, (y + 0.5) / dots)) continue;
      const at = 4 * ((y + quiet * dots) * width + x + quiet * dots);
      data.fill(0, at, at + 3);
    }
  }
  return { data, width, height, colorSpace: 'srgb' as const };
}

/** Bars are strokes: where each stands, and how wide it is. */
function readBars({ modules, svg }: Barcode): ReturnType<typeof readBarcode> {
  const bars = [...svg.matchAll(/stroke-width="(\d+)" d="([^"]+)"/gu)].flatMap(
    ([, stroke, path = '']) =>
      [...path.matchAll(/M([\d.]+) /gu)].map(([, at]) => ({
        from: Number(at) - Number(stroke) / 2,
        to: Number(at) + Number(stroke) / 2,
      })),
  );
  const isDark = (x: number): boolean => bars.some(({ from, to }) => x >= from && x < to);
  return readBarcode(drawn(modules, 30, isDark));
}

/** A matrix is polygons, filled by the even-odd rule, two units a module. */
function readMatrix({ modules, svg }: Barcode): ReturnType<typeof readBarcode> {
  const polygons = [...svg.matchAll(/M([^MZ]+)/gu)].map(([, path = '']) =>
    path.split('L').map((point) =>
      point
        .trim()
        .split(' ')
        .map((one) => Number(one) / 2),
    ),
  );
  // The sides are upright or level: what is left of a point is what it is inside of.
  const sides = polygons.flatMap((points) =>
    points.flatMap(([x1 = 0, y1 = 0], index) => {
      const [x2 = 0, y2 = 0] = points[(index + 1) % points.length] ?? [];
      return x1 === x2 ? [{ x: x1, from: Math.min(y1, y2), to: Math.max(y1, y2) }] : [];
    }),
  );
  let rowAt = -1;
  let row: number[] = [];
  const isDark = (x: number, y: number): boolean => {
    if (y !== rowAt) {
      rowAt = y;
      row = sides.filter(({ from, to }) => y >= from && y < to).map((side) => side.x);
    }
    return row.filter((side) => side > x).length % 2 === 1;
  };
  return readBarcode(drawn(modules, modules, isDark));
}

const ascii = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const latin = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }))
  .map((code) => String.fromCharCode(code));

describe('a barcode', () => {
  it('with bars is read as the same id, whatever letters and digits it has', async () => {
    const id = fc.oneof(
      fc.string({ unit: ascii, minLength: 1, maxLength: 20 }),
      fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: 30 }),
      fc.nat(999_999).map((number) => `MRN-${String(number).padStart(6, '0')}`),
    );
    await fc.assert(
      fc.asyncProperty(id, async (given) => {
        const read = await readBars(code128Of(given)!);
        expect(read).toEqual({ format: 'Code128', text: given });
      }),
      { numRuns: 100 },
    );
  });

  it('as a matrix is read as the same id, also with the letters of Latin 1', async () => {
    const id = fc.oneof(
      fc.uuid(),
      fc.string({ unit: ascii, minLength: 1, maxLength: 120 }),
      fc.string({ unit: latin, minLength: 1, maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(id, async (given) => {
        const read = await readMatrix(dataMatrixOf(given)!);
        expect(read).toEqual({ format: 'DataMatrix', text: given });
      }),
      { numRuns: 60 },
    );
  });

  it.each(['', '患者', 'a\tb', '\u007f', 'x\u0080', '\ud800', '😀'])('is none for %j', (id) => {
    expect([code128Of(id), dataMatrixOf(id)]).toEqual([undefined, undefined]);
  });
});
