import type { SendRequest } from '../../bridge/print.ts';
import { unwrap } from '../state/service-call.ts';
import { draw, free, pagesOf, PdfReader, sizeOf } from './pdf-reader.ts';
import type { PdfPage } from './pdf-reader.ts';
import styles from './print-sheets.module.css';

/** Dots per inch: the small letters of a card want more, and its area is a tenth of a page's. */
const dots = { card: 600, page: 300 };
const widestCard = 4 * 96;

/** A printer gets all the sheets that are laid out in the page: there is one print at a time. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Prints the PDF of this id after the prints before it; without a printer, by the system's dialog. Whether it was sent.
 * What was laid out for it is gone at the end, and at once with the signal: the dialog may stay open over the lock.
 */
export function print(request: Omit<SendRequest, 'pages'>, signal: AbortSignal): Promise<boolean> {
  const printing = last.then(() => printNow(request, signal));
  last = printing.catch(() => undefined);
  return printing;
}

async function printNow(
  request: Omit<SendRequest, 'pages'>,
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted();
  const { result } = await unwrap(window.caregate.sendPrint({ ...request, pages: false }));
  if (result !== 'pagesNeeded') return result === 'sent';
  signal.throwIfAborted();
  const { pdf } = await unwrap(window.caregate.readPrint({ id: request.id }));
  const reader = new PdfReader();
  let takeAway: (() => void) | undefined;
  try {
    takeAway = await laySheets(await pagesOf(reader.open(pdf)), signal);
    // Main prints what is laid out, whatever that is: what was taken away again is not sent.
    signal.throwIfAborted();
    const shown = await unwrap(window.caregate.sendPrint({ ...request, pages: true }));
    return shown.result === 'sent';
  } finally {
    takeAway?.();
    reader.close();
  }
}

/** Lays out a PDF's pages for a printer alone: they aren't seen on the screen. The function returned removes them. */
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

/** One after the other, and compressed: a page of 300 dpi is 35 MB on a canvas. */
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
