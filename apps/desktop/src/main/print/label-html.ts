import { code128, datamatrix, drawingSVG } from 'bwip-js/generic';
import { parseLabelSize } from '../../shared/print-kinds.ts';
import type { Size } from '../../shared/print-kinds.ts';
import type { Label } from '../../shared/print.ts';
import { FONT_FACES, FONTS } from './fonts.ts';
import { escapeHtml, hasArabic } from './print-html.ts';

/** Millimetres on each side. */
const LABEL_MARGIN = 1.5;

/** Widths of a bar in millimetres: whole dots of label printers, 8 per mm. Desk scanners misread smaller ones. */
const modules = [0.5, 0.375, 0.25];

/** In modules, on both sides together: ISO/IEC 15417. A Data Matrix needs two, which are less than the margin. */
const quietZone = 20;

interface Barcode {
  readonly kind: 'bars' | 'matrix';
  /** Stretched to its size by CSS. */
  readonly svg: string;
  /** Its width without the quiet zone. */
  readonly modules: number;
  /** Widths of a module that the label has room for, the widest first. */
  readonly widths: readonly number[];
}

/** Undefined if no barcode of the ID fits. The texts get their sizes from {@link FIT_LABEL}. */
export function renderLabel(label: Label, nonce: string): string | undefined {
  const { language, direction, name, born, clientUserId } = label;
  const size = parseLabelSize(label.size);
  const code = size && chooseBarcode(clientUserId, size);
  if (size === undefined || code === undefined) return undefined;
  const renderLine = (part: string, value: string): string =>
    value === ''
      ? ''
      : `<p class="${part}${hasArabic(value) ? ' tall' : ''}" dir="auto">${escapeHtml(value)}</p>`;
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}"><head><meta charset="utf-8"><title>-</title>
<style nonce="${escapeHtml(nonce)}">${FONT_FACES}
@page { size: ${String(size.width)}mm ${String(size.height)}mm; margin: 0; }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 600 6pt/1.32 ${FONTS}; color: #000; background: #fff; text-rendering: geometricPrecision; font-synthesis: none; }
/* A pixel less than the paper, whose size Chromium rounds: or there would be a second label. */
main { inline-size: calc(${String(size.width)}mm - 1px); block-size: calc(${String(size.height)}mm - 1px); padding: ${String(LABEL_MARGIN)}mm; overflow: hidden; display: grid; gap: 0.4mm 2mm; }
.bars { grid-template: max-content max-content minmax(6mm, 1fr) max-content / minmax(0, 1fr); }
.matrix { grid-template: max-content max-content minmax(0, 1fr) max-content / minmax(0, 1fr) auto; }
/* Each line begins where the label does, also a name of the other direction. */
p { overflow-wrap: anywhere; text-align: ${direction === 'rtl' ? 'right' : 'left'}; }
.tall { line-height: 1.6; }
.name { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--lines); font-size: var(--name); }
/* The ellipsis of a name of the other direction would leave the label. */
.name.cut { text-align: start; }
.born { font-size: var(--born); }
.id { grid-row: 4; font-size: var(--id); font-feature-settings: 'zero'; white-space: break-spaces; line-break: anywhere; }
.code { display: block; inline-size: calc(${String(code.modules)} * var(--module)); }
.bars .code { grid-row: 3; block-size: 100%; margin-inline-start: max(0mm, ${String(quietZone / 2)} * var(--module) - ${String(LABEL_MARGIN)}mm); }
.matrix .code { grid-area: 1 / 2 / -1; align-self: center; aspect-ratio: 1; }
</style></head>
<body data-modules="${code.widths.join(' ')}"><main class="${code.kind}">${renderLine('name', name)}${renderLine('born', born)}${code.svg}<p class="id" dir="ltr">${escapeHtml(clientUserId)}</p></main></body></html>`;
}

/**
 * Runs in the laid-out label: the widest module and then the largest letters with which everything is inside. Only a name
 * is cut, with an ellipsis. Resolves to false if ID and date of birth don't fit whole.
 */
export const FIT_LABEL = `(async () => {
  const main = document.querySelector('main');
  const name = main.querySelector('.name');
  const set = (values) => {
    for (const [key, value] of Object.entries(values)) main.style.setProperty('--' + key, value);
  };
  const lines = (element) => Math.round(element.clientHeight / parseFloat(getComputedStyle(element).lineHeight));
  const fits = () => {
    const { bottom, right, left } = main.getBoundingClientRect();
    const margin = ${String(LABEL_MARGIN)} * 96 / 25.4;
    return [...main.children].every((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom <= bottom - margin + 0.1 && box.right <= right - margin + 0.1 && box.left >= left + margin - 0.1 && (one === name || one.scrollWidth <= one.clientWidth + 1);
    });
  };
  const largest = (sizes, isGood) => sizes.find((size) => (set(size), fits() && isGood()));
  set({ name: '6pt', lines: '1', born: '6pt', id: '6pt', module: '0.5mm' });
  main.getBoundingClientRect();
  await document.fonts.ready;
  const whole = document.body.dataset.modules.split(' ').some((module) => {
    set({ module: module + 'mm' });
    return ['8pt', '7pt', '6pt', '5pt'].some((id) => (set({ id }), fits()));
  });
  if (!whole) return false;
  const born = main.querySelector('.born');
  if (born) largest([{ born: '8pt' }, { born: '7pt' }, { born: '6pt' }], () => lines(born) === 1) ?? set({ born: '6pt' });
  if (!name) return true;
  const isWhole = () => name.scrollHeight <= name.clientHeight + 1;
  const sizes = [[13, 1], [12, 1], [11, 1], [10, 1], [9, 1], [10, 2], [9, 2], [8, 2], [7, 2], [8, 3], [7, 3], [6, 4], [6, 8], [6, 16]];
  if (largest(sizes.map(([size, lines]) => ({ name: size + 'pt', lines: String(lines) })), isWhole)) return true;
  name.classList.add('cut');
  largest([16, 8, 6, 5, 4, 3, 2, 1].map((lines) => ({ name: '6pt', lines: String(lines) })), () => true);
  return true;
})()`;

/** Bars where they fit, which every scanner reads; else a Data Matrix. */
function chooseBarcode(id: string, { width, height }: Size): Barcode | undefined {
  const bars = withFittingWidths(
    draw(id, 'bars'),
    (wide, module) => wide + quietZone * module <= width,
  );
  if (bars !== undefined) return bars;
  const availableWidth = width - 2 * LABEL_MARGIN - 2;
  // The texts beside it need nearly as much width.
  const maxSize = Math.min(height - 2 * LABEL_MARGIN, availableWidth / 1.8);
  return withFittingWidths(draw(id, 'matrix'), (wide) => wide <= maxSize);
}

function withFittingWidths(
  code: Omit<Barcode, 'widths'> | undefined,
  fits: (wide: number, module: number) => boolean,
): Barcode | undefined {
  if (code === undefined) return undefined;
  const widths = modules.filter((module) => fits(code.modules * module, module));
  return widths.length === 0 ? undefined : { ...code, widths };
}

/** Undefined for characters that not all readers decode alike, and for an ID that is too long. */
function draw(id: string, kind: Barcode['kind']): Omit<Barcode, 'widths'> | undefined {
  // ISO/IEC 15417 set B; ISO/IEC 8859-1.
  const allowed = kind === 'bars' ? /^[\x20-\x7e]+$/u : /^[\x20-\x7e\xa0-\xff]+$/u;
  if (!allowed.test(id)) return undefined;
  let rawSvg: string;
  try {
    rawSvg =
      kind === 'bars'
        ? code128({ bcid: 'code128', text: id, scale: 1, height: 10 }, drawingSVG())
        : datamatrix({ bcid: 'datamatrix', text: id, scale: 1, binarytext: true }, drawingSVG());
  } catch {
    return undefined;
  }
  const width = Number(/viewBox="0 0 (\d+) \d+"/u.exec(rawSvg)?.[1]);
  const svg = rawSvg.replace('<svg ', '<svg class="code" preserveAspectRatio="none" ');
  // A Data Matrix is drawn two units a module.
  return { kind, svg, modules: kind === 'bars' ? width : width / 2 };
}
