import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A word and its position on the page, in points from the left and the top. */
interface Word {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

/** The rounding of the boxes, in points. */
const slack = 0.05;

/**
 * Replaces the boxes of Arabic words in the PDF by boxes as high as an alif. The font claims the height of two lines,
 * and its dots and marks are separate glyphs whose boxes are shifted.
 */
function withLetterBoxes(file: string): Buffer {
  const face = /(NotoSansArabic-\w+\n\/Flags \d+\n\/Ascent) 1374(\n\/Descent) -738/gu;
  return Buffer.from(readFileSync(file, 'latin1').replaceAll(face, '$1 0714$2 -241'), 'latin1');
}

/** Reads the pages with their words by `pdftotext -bbox` of Poppler. */
export function pagesOf(file: string): PdfPage[] {
  const found = execFileSync('pdftotext', ['-bbox', '-', '-'], {
    encoding: 'utf8',
    input: withLetterBoxes(file),
    // pdftotext warns about a page without text.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return [...found.matchAll(/<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gsu)].map(
    ([, width, height, inside = '']) => ({
      width: Number(width),
      height: Number(height),
      words: [
        ...inside.matchAll(
          /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/gsu,
        ),
      ].map(([, left, top, right, bottom, text = '']) => ({
        text,
        left: Number(left),
        top: Number(top),
        right: Number(right),
        bottom: Number(bottom),
      })),
    }),
  );
}

/** Returns the pairs of words that overlap. */
export function overlapsOf({ words }: PdfPage): string[] {
  return words.flatMap((one, index) =>
    words.slice(index + 1).flatMap((other) => {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide <= slack || high <= slack) return [];
      return [`${one.text} / ${other.text}: ${wide.toFixed(2)} x ${high.toFixed(2)} pt`];
    }),
  );
}

/** Returns the words that are outside of the page or in its side margins. The margin is in points. */
export function strayOf({ words, width, height }: PdfPage, margin: number): string[] {
  // Chromium rounds the paper size to whole pixels.
  const least = margin - 0.5;
  return words
    .filter(
      ({ left, top, right, bottom }) =>
        left < least || right > width - least || top < 0 || bottom > height,
    )
    .map(
      ({ text, left, top, right, bottom }) =>
        `${text}: ${[left, top, right, bottom].map((at) => at.toFixed(1)).join(' ')}`,
    );
}
