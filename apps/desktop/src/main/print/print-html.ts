import type { PrintDocument } from '../../bridge/print.ts';
import {
  FOOTER_DOT,
  footerParagraphs,
  headOf,
  MARGIN_LINE_HEIGHT,
  marginsOf,
  PAPER_SIZES,
} from './paper.ts';
import { lineHeightOf } from './text-width.ts';

/** Millimetres; keeps the frame's line off the margin. */
const inset = 0.4;

/** Characters of an id that fit in one of two columns. */
const idLine = 21;

type Fact = PrintDocument['main'][number];

/** No script, nothing loaded, all text escaped. */
export function printHtml(
  document: PrintDocument,
  { nonce, faces }: { readonly nonce: string; readonly faces: string },
): string {
  const { language, direction, title, notice, main, sections, paper, kind } = document;
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(language)}" dir="${direction}" class="${paper} ${kind}"><head><meta charset="utf-8">`,
    `<title>${escapeHtml(title)}</title><style nonce="${escapeHtml(nonce)}">${faces}${styles(document)}</style></head>`,
    `<body><h1>${escapeHtml(title)}</h1><p class="notice">${escapeHtml(notice)}</p>`,
    facts(main, 'main'),
    ...sections.map(section),
    '</body></html>',
  ].join('\n');
}

/** Uses the system's font, like the footer: Chromium doesn't wait for fonts in margins and printed them without text. */
export function headerHtml(document: PrintDocument): string {
  const { header } = PAPER_SIZES[document.paper];
  const [before = '', between = '', after = ''] = document.page;
  const { name, facts } = headOf(document);
  const number =
    `${escapeHtml(before)}<span class="pageNumber"></span>${escapeHtml(between)}` +
    `<span class="totalPages"></span>${escapeHtml(after)}`;
  const said = facts.map(
    ({ label, value, code }) => `${escapeHtml(label)} ${isolated(value, code)}`,
  );
  const text =
    `<div style="font-size:${String(header.name)}pt;font-weight:700"><bdi>${escapeHtml(name)}</bdi></div>` +
    `<div style="display:flex;gap:1em"><span style="flex:1">${said.join(' · ')}</span>` +
    `<bdi style="white-space:nowrap">${number}</bdi></div>`;
  // Chromium's own padding is 4 mm; a card is 54 mm high.
  return inMargin(
    document,
    header.text,
    `#header{padding:${String(header.above)}mm 0 0!important}`,
    text,
  );
}

export function footerHtml(document: PrintDocument): string {
  const { footer } = PAPER_SIZES[document.paper];
  // Each by itself: a name of another direction would draw what follows to its side.
  const text = footerParagraphs(document).map(
    (parts) => `<div>${parts.map((part) => isolated(part)).join(FOOTER_DOT)}</div>`,
  );
  const padding = `#footer{padding:0 0 ${String(footer.below)}mm!important}`;
  return inMargin(document, footer.text, padding, text.join(''));
}

function inMargin(
  { direction, paper }: PrintDocument,
  points: number,
  padding: string,
  text: string,
): string {
  const { sides } = PAPER_SIZES[paper];
  return (
    `<style>${padding}</style>` +
    `<div dir="${direction}" style="box-sizing:border-box;width:100%;padding:0 ${String(sides + inset)}mm;overflow-wrap:anywhere;` +
    `font:${String(points)}pt/${String(MARGIN_LINE_HEIGHT)} ${fonts};color:#000">${text}</div>`
  );
}

function section({
  heading,
  warning,
  facts: list,
  table,
}: PrintDocument['sections'][number]): string {
  const head = heading === '' ? '' : `<h2>${escapeHtml(heading)}</h2>`;
  const mark = warning === true ? ' class="warning"' : '';
  return `<section${mark}>${head}${facts(list, 'facts')}${table === undefined ? '' : tableOf(table)}</section>`;
}

function facts(list: readonly Fact[], name: string): string {
  if (list.length === 0) return '';
  const rows = list.map(
    ({ label, value, code }) =>
      `<div><dt>${escapeHtml(label)}</dt><dd>${isolated(value, code)}</dd></div>`,
  );
  return `<dl class="${name}">${rows.join('')}</dl>`;
}

function isolated(value: string, code = false): string {
  const classes = [...(code ? ['code'] : []), ...(lineHeightOf(value, 1) > 1 ? ['tall'] : [])];
  const marks = `${code ? ' dir="ltr"' : ''}${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''}`;
  return `<bdi${marks}>${escapeHtml(value)}</bdi>`;
}

type Table = NonNullable<PrintDocument['sections'][number]['table']>;

/** Chromium repeats the head on each page. */
function tableOf({ columns, widths, rows }: Table): string {
  const head = columns.map((column, index) => {
    const width = widths?.[index];
    const by = width === undefined ? '' : ` class="w${String(width)}"`;
    return `<th scope="col"${by}>${isolated(column)}</th>`;
  });
  const body = rows.map(({ cells: [name = '', ...cells], strong }) => {
    const rest = cells.map((cell) => `<td>${isolated(cell)}</td>`).join('');
    const mark = strong === true ? ' class="strong"' : '';
    return `<tr${mark}><th scope="row">${isolated(name)}</th>${rest}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

/** The system's are for other scripts than Latin, Greek and Cyrillic. */
export const fonts = "Print,'Segoe UI','Noto Sans','Noto Sans Arabic','DejaVu Sans',sans-serif";

function styles(document: PrintDocument): string {
  const { kind, paper, main, sections, title } = document;
  // An id that wraps beside another is misread: it gets the whole width.
  const isLong =
    kind === 'insurance' && main.some(({ code, value }) => code === true && value.length > idLine);
  const widths = new Set(sections.flatMap(({ table }) => table?.widths ?? []));
  const { width, height, sides } = PAPER_SIZES[paper];
  const { top, bottom } = marginsOf(document);
  // The document's own words are of one language. A card has no millimetre to spare.
  const arabic = paper === 'card' ? 1.45 : undefined;
  const line = (usual: number): string => String(lineHeightOf(title, usual, arabic));
  return `
@page { size: ${String(width)}mm ${String(height)}mm; margin: ${top.toFixed(2)}mm ${String(sides)}mm ${bottom.toFixed(2)}mm; }
* { box-sizing: border-box; }
body { margin: 0; padding: ${String(inset)}mm; color: #000; background: #fff; font: 11pt/${line(1.35)} ${fonts}; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 18pt; line-height: ${line(1.4)}; }
h2 { margin: 6mm 0 2mm; font-size: 12pt; border-bottom: 0.3mm solid #000; break-after: avoid; break-inside: avoid; }
.notice { margin: 1mm 0 5mm; font-weight: 600; }
dl, dd { margin: 0; }
dl > div { break-inside: avoid; }
dt { font-size: 9pt; line-height: ${line(1.5)}; }
.main { display: grid; grid-template-columns: repeat(${isLong ? '1' : '2'}, minmax(0, 1fr)); gap: 4mm; padding: 5mm; border: 0.5mm solid #000; border-radius: 3mm; box-decoration-break: clone; }
.main dd { font-size: 17pt; font-weight: 600; line-height: ${line(1.4)}; }
.facts > div { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); gap: 3mm; padding: 0.8mm 0; align-items: baseline; }
/* Of a value in a document of any language. */
.tall { line-height: ${String(lineHeightOf('\u0639', 1, arabic))}; }
.code { font-feature-settings: 'zero'; }
section:first-of-type { margin-block-start: 3mm; }
table { inline-size: 100%; table-layout: fixed; border-collapse: collapse; font-size: 8.5pt; line-height: ${line(1.35)}; }
${[...widths].map((width) => `.w${String(width)} { inline-size: ${String(width)}%; }`).join('\n')}
th, td { padding: 1mm 1.5mm; border-bottom: 0.2mm solid #000; text-align: start; vertical-align: top; white-space: pre-wrap; }
thead th { border-bottom-width: 0.4mm; }
.warning { padding: 2mm 4mm; border: 0.8mm solid #000; border-inline-start-width: 3mm; break-inside: avoid; }
.warning h2 { margin: 0 0 1mm; border: 0; }
.warning dt, .warning dd { font-weight: 700; }
th[scope=row] { font-weight: 400; }
.strong th, .strong td:nth-child(-n + 3) { font-weight: 700; }
tr { break-inside: avoid; }
.labs .main { gap: 2.5mm 4mm; padding: 4mm; }
.labs .main dd { font-size: 13pt; }
.labs .facts { font-size: 10pt; }
.card body { font-size: 6.5pt; line-height: ${line(1.35)}; }
.card h1 { font-size: 8pt; line-height: ${line(1.2)}; }
.card h2 { margin: 0.8mm 0 0.4mm; font-size: 6pt; line-height: ${line(1.25)}; border-bottom-width: 0.15mm; }
.card .notice { margin: 0.3mm 0 0.6mm; font-size: 5.5pt; line-height: ${line(1.25)}; }
.card dt { font-size: 5pt; }
.card .main { gap: 0.4mm 2mm; padding: 0.8mm 1.2mm; border-width: 0.2mm; border-radius: 1.5mm; }
.card .main dd { font-size: 8pt; line-height: ${line(1.3)}; }
.card .facts > div { gap: 1mm; padding: 0; }
.card section:first-of-type { margin-block-start: 0.5mm; }
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => entities[character] ?? '');
}
