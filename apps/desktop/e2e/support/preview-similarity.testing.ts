import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';

export interface Similarity {
  /** Mean difference of the pixels, both blurred, 0 to 1. */
  readonly mean: number;
  /** The same by what is dark in the reference: an empty sheet has 1, another page about as much. */
  readonly ofInk: number;
}

/** How like a page of the PDF the picture in the preview is, both at 96 dpi. Poppler draws the PDF. */
export async function similarityOf(page: Page, file: string, number: number): Promise<Similarity> {
  const sheet = page
    .getByRole('dialog')
    .getByRole('img')
    .nth(number - 1);
  await sheet.scrollIntoViewIfNeeded();
  await page.waitForFunction((index) => {
    const one = document.querySelectorAll('[role=dialog] [role=img]')[index];
    return one?.getAttribute('aria-busy') === 'false' && one.querySelector('canvas') !== null;
  }, number - 1);
  const reference = execFileSync(
    'pdftoppm',
    ['-png', '-r', '192', '-f', String(number), '-l', String(number), file],
    { maxBuffer: 2 ** 26 },
  ).toString('base64');
  return page.evaluate(
    async ({ index, png }) => {
      const drawn = document
        .querySelectorAll('[role=dialog] [role=img]')
        [index]?.querySelector('canvas');
      if (!drawn) throw new Error('No canvas.');
      const picture = new Image();
      picture.src = `data:image/png;base64,${png}`;
      await picture.decode();
      const redrawn = (
        source: CanvasImageSource,
        { width, height }: { width: number; height: number },
        filter = 'none',
      ): HTMLCanvasElement => {
        const canvas = document.createElement('canvas');
        canvas.width = width;
        canvas.height = height;
        const context = canvas.getContext('2d')!;
        context.imageSmoothingQuality = 'high';
        context.filter = filter;
        context.drawImage(source, 0, 0, width, height);
        return canvas;
      };
      // At 96 dpi.
      const size = { width: Math.round(picture.width / 2), height: Math.round(picture.height / 2) };
      const pixelsOf = (source: CanvasImageSource): Uint8ClampedArray =>
        redrawn(source, size, 'blur(2px)')
          .getContext('2d')!
          // At its edges the blur takes in what is transparent: nothing is compared there.
          .getImageData(8, 8, size.width - 16, size.height - 16).data;
      const one = pixelsOf(drawn);
      // With no more pixels than the preview has.
      const other = pixelsOf(redrawn(picture, drawn));
      let difference = 0;
      let ink = 0;
      for (let at = 0; at < one.length; at += 1) {
        difference += Math.abs(one[at]! - other[at]!);
        if (at % 4 !== 3) ink += 255 - other[at]!;
      }
      return { mean: difference / ((one.length / 4) * 3 * 255), ofInk: difference / ink };
    },
    { index: number - 1, png: reference },
  );
}
