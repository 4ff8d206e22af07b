import { labelSizeOf } from '../../shared/print-kinds.ts';
import type { Size } from '../../shared/print-kinds.ts';
import type { Label } from '../../shared/print.ts';
import { code128Of, dataMatrixOf } from './barcode.ts';
import type { Barcode } from './barcode.ts';
import { lineHeightOf, linesOf, millimetresPerPoint } from './text-width.ts';

export interface TextFit {
  readonly points: number;
  readonly lines: number;
  /** Of each, in em. */
  readonly lineHeight: number;
}

export interface LabelLayout {
  readonly symbology: 'code128' | 'dataMatrix';
  readonly size: Size;
  readonly svg: string;
  readonly module: number;
  /** Without the quiet zone. */
  readonly codeWidth: number;
  readonly name: TextFit;
  readonly isNameCut: boolean;
  readonly born: TextFit;
  readonly id: TextFit;
}

export const LABEL_MARGIN = 1.5;
export const LABEL_GAP = 0.4;
const usualLineHeight = 1.32;
/** Whole dots of label printers, 8 per mm. Desk scanners misread smaller modules. */
const modules = [0.5, 0.375, 0.25];
/** In modules, on each side: ISO/IEC 15417. A Data Matrix needs one, less than the gap. */
const quietZone = 10;
const leastBars = 6;
export const LABEL_COLUMN_GAP = 2;
const leastName = 6;

/** Undefined if no code carries the id, or its text doesn't fit. */
export function layOutLabel(label: Label): LabelLayout | undefined {
  const size = labelSizeOf(label.size);
  if (size === undefined) return undefined;
  const linear = code128Of(label.clientUserId);
  return (
    (linear === undefined ? undefined : withBars(label, size, linear)) ?? withMatrix(label, size)
  );
}

function withBars(label: Label, size: Size, { modules: wide, svg }: Barcode) {
  const module = modules.find((one) => (wide + 2 * quietZone) * one <= size.width);
  if (module === undefined) return undefined;
  const across = size.width - 2 * LABEL_MARGIN;
  const id = fitted(label.clientUserId, across, { sizes: [8, 7, 6], lines: 1 });
  if (id === undefined) return undefined;
  const room = size.height - 2 * LABEL_MARGIN - leastBars - heightOf(id) - 3 * LABEL_GAP;
  const words = wordsIn(label, across, room);
  return {
    symbology: 'code128',
    size,
    svg,
    module,
    codeWidth: wide * module,
    id,
    ...words,
  } as const;
}

function withMatrix(label: Label, size: Size): LabelLayout | undefined {
  const matrix = dataMatrixOf(label.clientUserId);
  if (matrix === undefined) return undefined;
  const high = size.height - 2 * LABEL_MARGIN;
  for (const module of modules) {
    const codeWidth = matrix.modules * module;
    const across = size.width - 2 * LABEL_MARGIN - LABEL_COLUMN_GAP - codeWidth;
    if (codeWidth > high || across < codeWidth * 0.8) continue;
    // The id is never cut; the name keeps at least one line.
    const room =
      high -
      3 * LABEL_GAP -
      lineOf(label.name, leastName) -
      (label.born === '' ? 0 : lineOf(label.born, 6));
    const id = [8, 7, 6, 5]
      .map((points) => fitted(label.clientUserId, across, { sizes: [points], room }))
      .find((fit) => fit !== undefined);
    if (id === undefined) continue;
    const words = wordsIn(label, across, high - heightOf(id) - 3 * LABEL_GAP);
    const { svg } = matrix;
    return { symbology: 'dataMatrix', size, svg, module, codeWidth, id, ...words };
  }
  return undefined;
}

/** Name and birth date: shrunk, then wrapped, then cut with an ellipsis. */
function wordsIn(
  label: Label,
  across: number,
  room: number,
): Pick<LabelLayout, 'name' | 'isNameCut' | 'born'> {
  const { born: said, name } = label;
  const bornFit =
    fitted(said, across, { sizes: [8, 7, 6], lines: 1 }) ??
    fitted(said, across, { sizes: [6], lines: 2 }) ??
    fitOf(said, 6, 2);
  const forName = said === '' ? room : room - heightOf(bornFit);
  // With room for one line each, the birth date comes before a second line of the name.
  const born = forName < lineOf(name, leastName) ? fitOf(said, 6, 1) : bornFit;
  const left = said === '' ? room : room - heightOf(born);
  const fit =
    fitted(name, across, { sizes: [13, 12, 11, 10, 9], lines: 1, room: left }) ??
    fitted(name, across, { sizes: [10, 9, 8, 7], lines: 2, room: left }) ??
    fitted(name, across, { sizes: [8, 7, 6], room: left });
  const most = Math.max(1, Math.floor(left / lineOf(name, leastName)));
  const isNameCut = linesOf(name, across / (leastName * millimetresPerPoint)) > most;
  return { name: fit ?? fitOf(name, leastName, most), isNameCut, born };
}

function fitOf(text: string, points: number, lines: number): TextFit {
  return { points, lines, lineHeight: lineHeightOf(text, usualLineHeight) };
}

function lineOf(text: string, points: number): number {
  return heightOf(fitOf(text, points, 1));
}

function heightOf({ points, lines, lineHeight }: TextFit): number {
  return lines * points * millimetresPerPoint * lineHeight;
}

function fitted(
  text: string,
  across: number,
  into: { readonly sizes: readonly number[]; readonly lines?: number; readonly room?: number },
): TextFit | undefined {
  for (const points of into.sizes) {
    const fit = fitOf(text, points, linesOf(text, across / (points * millimetresPerPoint)));
    if (fit.lines <= (into.lines ?? Infinity) && heightOf(fit) <= (into.room ?? Infinity))
      return fit;
  }
  return undefined;
}
