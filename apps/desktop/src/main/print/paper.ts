import type { Size } from '../../bridge/print-kinds.ts';
import type { Paper } from '../../bridge/print-kinds.ts';
import type { PrintDocument } from '../../bridge/print.ts';
import { linesOf, millimetresPerPoint, widthInEms } from './text-width.ts';

/** Millimetres; text in points. */
interface PaperSize {
  readonly width: number;
  readonly height: number;
  readonly sides: number;
  readonly header: {
    readonly name: number;
    readonly text: number;
    readonly above: number;
    readonly below: number;
  };
  readonly footer: { readonly text: number; readonly above: number; readonly below: number };
}

/** ISO 216, ANSI, and ISO/IEC 7810 ID-1. */
export const PAPER_SIZES: Readonly<Record<Paper, PaperSize>> = {
  a4: {
    ...{ width: 210, height: 297, sides: 18 },
    header: { name: 13, text: 9, above: 9, below: 4 },
    footer: { text: 8, above: 4, below: 8 },
  },
  letter: {
    ...{ width: 215.9, height: 279.4, sides: 18 },
    header: { name: 13, text: 9, above: 9, below: 4 },
    footer: { text: 8, above: 4, below: 8 },
  },
  card: {
    ...{ width: 85.6, height: 53.98, sides: 4 },
    header: { name: 6.5, text: 5, above: 2, below: 0.6 },
    footer: { text: 4.6, above: 0.8, below: 2 },
  },
};

export function mediaOf({ width, height }: Size, paper?: Paper): string {
  if (paper === 'a4') return 'A4';
  if (paper === 'letter') return 'Letter';
  return `Custom.${String(width)}x${String(height)}mm`;
}

export const MARGIN_LINE_HEIGHT = 1.35;

/** A card has room for one paragraph of all parts. */
export function footerParagraphs({ footer, paper }: PrintDocument): readonly (readonly string[])[] {
  return paper === 'card' ? [footer] : footer.map((part) => [part]);
}

export const FOOTER_DOT = ' · ';

const longest = 300;

export function headOf({ patient }: PrintDocument): PrintDocument['patient'] {
  const short = (text: string): string => {
    const letters = Array.from(text);
    return letters.length > longest ? `${letters.slice(0, longest).join('')}…` : text;
  };
  return {
    name: short(patient.name),
    facts: patient.facts.map((fact) => ({ ...fact, value: short(fact.value) })),
  };
}

/** Bold letters are this much wider. */
const bold = 1.1;

/** Millimetres with room for header and footer: Chromium draws them there whether they fit or not. */
export function marginsOf(document: PrintDocument): {
  readonly top: number;
  readonly bottom: number;
} {
  const { width, sides, header, footer } = PAPER_SIZES[document.paper];
  const high = (points: number, lines: (across: number) => number): number => {
    const size = points * millimetresPerPoint;
    return lines((width - 2 * sides) / size - 1) * size * MARGIN_LINE_HEIGHT;
  };
  const { name, facts } = headOf(document);
  const said = facts.map(({ label, value }) => `${label} ${value}`).join(' · ');
  const page = widthInEms(`${document.page.join('')} 999 999`);
  const top =
    high(header.name, (across) => linesOf(name, across / bold)) +
    high(header.text, (across) => linesOf(said, across - page));
  const bottom = high(footer.text, (across) =>
    footerParagraphs(document).reduce(
      (sum, parts) => sum + linesOf(parts.join(FOOTER_DOT), across),
      0,
    ),
  );
  return {
    top: header.above + top + header.below,
    bottom: footer.above + bottom + footer.below,
  };
}
