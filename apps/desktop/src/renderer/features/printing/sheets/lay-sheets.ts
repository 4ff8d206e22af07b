import { unwrap } from '../../../api/service-call.ts';
import { draw, free, pagesOf, PdfReader, sizeOf } from '../pdf-reader.ts';
import type { PdfPage } from '../pdf-reader.ts';
import styles from './lay-sheets.module.css';

/** Dots per inch: a card has smaller letters, and a tenth of a page's area. */
const dots = { card: 600, page: 300 };
const widestCard = 4 * 96;

/** Lays out the pages of a PDF for `does`, and removes them afterwards or at once when aborted. */
export async function withSheets<T>(
  id: string,
  signal: AbortSignal,
  does: () => Promise<T>,
): Promise<T> {
  const { pdf } = await unwrap(window.caregate.readPrint({ id }));
  const reader = new PdfReader();
  let takeAway: (() => void) | undefined;
  try {
    takeAway = await laySheets(await pagesOf(reader.open(pdf)), signal);
    // Main prints whatever is laid out: don't print without the sheets.
    signal.throwIfAborted();
    return await does();
  } finally {
    takeAway?.();
    reader.close();
  }
}

async function laySheets(pages: readonly PdfPage[], signal: AbortSignal): Promise<() => void> {
  const [first] = pages;
  if (first === undefined) throw new RangeError('A PDF without pages.');
  const { width, height } = sizeOf(first);
  const size = new CSSStyleSheet();
  size.replaceSync(`@page { size: ${String(width)}px ${String(height)}px; margin: 0; }`);
  const sheets = document.createElement('div');
  sheets.className = styles['sheets'] ?? '';
  sheets.style.setProperty('--sheet-width', `${String(width)}px`);
  sheets.style.setProperty('--sheet-height', `${String(height)}px`);
  for (const page of pages) sheets.append(await pictureOf(page, width));
  signal.throwIfAborted();
  document.adoptedStyleSheets.push(size);
  document.body.append(sheets);
  const takeAway = (): void => {
    signal.removeEventListener('abort', takeAway);
    sheets.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== size);
  };
  signal.addEventListener('abort', takeAway);
  return takeAway;
}

/** Compressed, one at a time: a page of 300 dpi is 35 MB on a canvas. */
async function pictureOf(page: PdfPage, width: number): Promise<HTMLImageElement> {
  const perInch = width < widestCard ? dots.card : dots.page;
  const { canvas, done } = draw(page, Math.round((width / 96) * perInch));
  const picture = new Image();
  try {
    await done;
    picture.src = canvas.toDataURL('image/png');
  } finally {
    free(canvas);
  }
  await picture.decode();
  return picture;
}
