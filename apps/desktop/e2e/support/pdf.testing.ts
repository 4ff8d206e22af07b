import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A word as it stands on its page: points from the page's left and top. */
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

/** Rounding of the boxes, in points. */
const slack = 0.05;

/**
 * The PDF with boxes of Arabic words that are as high as an alif, and as deep as our own face. The Arabic one claims two
 * lines' height; its dots and signs are glyphs of their own, which are shifted and take their boxes with them.
 */
function withLetterBoxes(file: string): Buffer {
  const face = /(NotoSansArabic-\w+\n\/Flags \d+\n\/Ascent) 1374(\n\/Descent) -738/gu;
  return Buffer.from(readFileSync(file, 'latin1').replaceAll(face, '$1 0714$2 -241'), 'latin1');
}

/** Each page with its words, by poppler's `pdftotext -bbox`. */
export function pagesOf(file: string): PdfPage[] {
  const found = execFileSync('pdftotext', ['-bbox', '-', '-'], {
    encoding: 'utf8',
    input: withLetterBoxes(file),
    // It says so where a page has pictures alone.
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

/** Pairs of words that lie over one another. */
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

/** Words that leave the page, or stand in the margins at its sides, where the frame's lines are. Margin in points. */
export function strayOf({ words, width, height }: PdfPage, margin: number): string[] {
  // Chromium rounds the paper to whole pixels.
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
