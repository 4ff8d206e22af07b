import { code128, datamatrix, drawingSVG } from 'bwip-js/generic';
import { parseLabelSize, type Size } from '../../shared/print-kinds.ts';
import type { Label } from '../../shared/print.ts';
import { FONT_FACES, FONTS } from './fonts.ts';
import { escapeHtml, hasArabic } from './print-html.ts';

/** The margin on each side, in millimeters. */
const LABEL_MARGIN = 1.5;

/** Widths of the narrowest bar, in millimeters. They are whole dots of a label printer with 8 dots per millimeter. */
const modules = [0.5, 0.375, 0.25];

/** The quiet zone of ISO/IEC 15417 on both sides together, in modules. That of a Data Matrix is narrower than the margin. */
const quietZone = 20;

interface Barcode {
  readonly kind: 'bars' | 'matrix';
  /** The SVG is stretched to its size by CSS. */
  readonly svg: string;
  /** The width in modules, without the quiet zone. */
  readonly modules: number;
  /** The module widths that fit on the label, the widest first. */
  readonly widths: readonly number[];
}

/** Returns undefined if no barcode of the ID fits on the label. {@link FIT_LABEL} sets the sizes of the texts. */
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
/* Chromium rounds the paper size to whole pixels. One pixel less prevents a second, empty label. */
main { inline-size: calc(${String(size.width)}mm - 1px); block-size: calc(${String(size.height)}mm - 1px); padding: ${String(LABEL_MARGIN)}mm; overflow: hidden; display: grid; gap: 0.4mm 2mm; }
.bars { grid-template: max-content max-content minmax(6mm, 1fr) max-content / minmax(0, 1fr); }
.matrix { grid-template: max-content max-content minmax(0, 1fr) max-content / minmax(0, 1fr) auto; }
/* Each line starts at the same side, even if the name has the other text direction. */
p { overflow-wrap: anywhere; text-align: ${direction === 'rtl' ? 'right' : 'left'}; }
.tall { line-height: 1.6; }
.name { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: var(--lines); font-size: var(--name); }
/* With the other text direction, the ellipsis of a name would be outside the label. */
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
 * This script runs in the page of the label. It picks the widest bars and then the largest letters with which
 * everything fits. Only the name may be shortened. Resolves to false if the ID or the birth date doesn't fit.
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

/** Prefers Code 128, which every scanner reads. If it doesn't fit, a Data Matrix is used. */
function chooseBarcode(id: string, { width, height }: Size): Barcode | undefined {
  const bars = withFittingWidths(
    draw(id, 'bars'),
    (wide, module) => wide + quietZone * module <= width,
  );
  if (bars !== undefined) return bars;
  const availableWidth = width - 2 * LABEL_MARGIN - 2;
  // The texts beside the Data Matrix need nearly as much width as it does.
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

/** Returns undefined for an ID that is too long or has characters that some scanners decode differently. */
function draw(id: string, kind: Barcode['kind']): Omit<Barcode, 'widths'> | undefined {
  // Code 128 is limited to set B of ISO/IEC 15417, and a Data Matrix to ISO/IEC 8859-1.
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
  // bwip-js draws a module of a Data Matrix two units wide.
  return { kind, svg, modules: kind === 'bars' ? width : width / 2 };
}
