import type { Size } from '../../bridge/print-kinds.ts';
import type { Paper } from '../../bridge/print-kinds.ts';
import type { PrintDocument } from '../../bridge/print.ts';
import { millimetresPerPoint } from './text-width.ts';

/** Millimetres; text in points. */
interface PaperSize {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly sides: number;
  readonly footer: { readonly text: number; readonly above: number; readonly below: number };
}

/** ISO 216, ANSI, and ISO/IEC 7810 ID-1. */
export const PAPER_SIZES: Readonly<Record<Paper, PaperSize>> = {
  a4: { width: 210, height: 297, top: 18, sides: 18, footer: { text: 8, above: 4, below: 8 } },
  letter: {
    width: 215.9,
    height: 279.4,
    top: 18,
    sides: 18,
    footer: { text: 8, above: 4, below: 8 },
  },
  card: {
    width: 85.6,
    height: 53.98,
    top: 3,
    sides: 4,
    footer: { text: 4.6, above: 0.8, below: 2 },
  },
};

/** Media as CUPS name them: the usual papers by name, all else by its millimetres. */
export function mediaOf({ width, height }: Size, paper?: Paper): string {
  if (paper === 'a4') return 'A4';
  if (paper === 'letter') return 'Letter';
  return `Custom.${String(width)}x${String(height)}mm`;
}

export const FOOTER_LINE_HEIGHT = 1.35;

/** At most what a text is wide, in sizes of its font, by the widest of the fonts that we print in (DejaVu Sans). */
function widthOf(text: string): number {
  const wide = text.match(/[\p{Lu}@%mw]/gu)?.length ?? 0;
  const full = text.match(/[^\0-\u2e7f]/gu)?.length ?? 0;
  return 0.66 * text.length + 0.24 * wide + 0.34 * full;
}

/** What stands in the footer before the number of the page, a line each; a card has room for one paragraph of it all. */
export function footerParagraphs({ footer, paper }: PrintDocument): readonly string[] {
  return paper === 'card' ? [footer.lines.join(' · ')] : footer.lines;
}

/**
 * Millimetres that the bottom margin needs, so that the footer has room in it however long its texts are: Chromium
 * draws it there whether it fits or not.
 */
export function bottomMargin(document: PrintDocument): number {
  const { width, sides, footer } = PAPER_SIZES[document.paper];
  const size = footer.text * millimetresPerPoint;
  const across = (width - 2 * sides) / size;
  const page = `${document.footer.page.join('')} 999 999`;
  const paragraphs = footerParagraphs(document);
  const texts =
    document.paper === 'card' ? [[...paragraphs, page].join(' · ')] : [...paragraphs, page];
  const lines = texts.reduce((sum, text) => sum + Math.ceil(widthOf(text) / across), 0);
  return footer.above + lines * size * FOOTER_LINE_HEIGHT + footer.below;
}
