import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';

export interface Similarity {
  /** Mean difference of the pixels, both blurred, 0 to 1. */
  readonly mean: number;
  /** The same by what is dark in the reference: an empty sheet has 1, another page about as much. */
  readonly ofInk: number;
}

/** How like a page of the PDF the picture in the preview is, both at 96 dpi. Poppler draws the PDF's. */
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
    ['-png', '-r', '96', '-f', String(number), '-l', String(number), file],
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
      const blurred = (source: CanvasImageSource): Uint8ClampedArray => {
        const canvas = document.createElement('canvas');
        canvas.width = picture.width;
        canvas.height = picture.height;
        const context = canvas.getContext('2d')!;
        context.imageSmoothingQuality = 'high';
        context.filter = 'blur(2px)';
        context.drawImage(source, 0, 0, picture.width, picture.height);
        // At its edges the blur takes in what is transparent: nothing is compared there.
        return context.getImageData(8, 8, picture.width - 16, picture.height - 16).data;
      };
      const one = blurred(drawn);
      const other = blurred(picture);
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
