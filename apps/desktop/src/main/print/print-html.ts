import type { PrintDocument } from '../../shared/print.ts';
import { FONT_FACES, FONTS } from './fonts.ts';

/** Paper sizes in millimeters: A4 of ISO 216 and Letter of ANSI. */
export const PAPER_SIZES = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;

/** The page margins, in millimeters. */
const margins = { top: 10, sides: 14, bottom: 8 };

/** An ID with more characters doesn't fit in one of two columns. */
const maxIdCharacters = 21;

/** A longer head may exceed a quarter of the page, and Chromium wouldn't repeat it on each page. */
const maxHeadCharacters = 240;

/** Keeps text out of the margin, in millimeters, since Chromium rounds the paper size to whole pixels. */
const inset = 0.4;

/** A table with at most this number of rows is kept on one page. A longer one starts directly below the section before it. */
const maxRowsPerPage = 35;

type Fact = PrintDocument['main'][number];

/**
 * Builds a page without scripts, in which nothing is loaded and all text is escaped. Chromium repeats the head of the
 * table on each page, and the footer because its position is fixed. The hidden copy of the footer in the foot of the
 * table reserves room for it.
 *
 * `pages` is the number of pages, which is known only after a first print with 0: each page number has an absolute
 * position.
 */
export function renderPrintDocument(
  document: PrintDocument,
  { nonce, pages }: { readonly nonce: string; readonly pages: number },
): string {
  const { language, direction, title, heading, notice, main, sections, paper, kind } = document;
  const numbers = Array.from(
    { length: pages },
    (_, at) => `<p class="number n${String(at)}">${renderPageNumber(document, at + 1, pages)}</p>`,
  );
  return [
    '<!doctype html>',
    `<html lang="${escapeHtml(language)}" dir="${direction}" class="${paper} ${kind}"><head><meta charset="utf-8">`,
    `<title>${escapeHtml(title)}</title><style nonce="${escapeHtml(nonce)}">${FONT_FACES}${renderStyles(document, pages)}</style></head>`,
    `<body>${numbers.join('')}${renderFooter(document)}<table class="pages" role="presentation">`,
    `<thead><tr><td>${renderHead(document)}</td></tr></thead>`,
    `<tfoot aria-hidden="true"><tr><td>${renderFooter(document)}</td></tr></tfoot>`,
    `<tbody><tr><td><h1>${isolate(heading)}</h1><p class="notice">${escapeHtml(notice)}</p>`,
    renderFacts(main, 'main'),
    ...sections.map(renderSection),
    '</td></tr></tbody></table></body></html>',
  ].join('\n');
}

function renderHead(document: PrintDocument): string {
  const { clinic, title, patient } = document;
  const shorten = (text: string): string => {
    const letters = Array.from(text);
    return letters.length > maxHeadCharacters
      ? `${letters.slice(0, maxHeadCharacters).join('')}…`
      : text;
  };
  const patientFacts = patient.facts.map(
    ({ label, value, code }) =>
      `<span>${escapeHtml(label)} <b>${isolate(shorten(value), code)}</b></span>`,
  );
  return (
    `<div class="head"><div class="clinic"><b>${isolate(clinic)}</b><b class="title">${escapeHtml(title)}</b></div>` +
    `<div class="patient"><b>${isolate(shorten(patient.name))}</b>${patientFacts.join(' ')}</div></div>`
  );
}

function renderPageNumber({ page }: PrintDocument, number: number, count: number): string {
  const [before = '', between = '', after = ''] = page;
  return `${escapeHtml(before)}${String(number)}${escapeHtml(between)}${String(count)}${escapeHtml(after)}`;
}

/** Each part is isolated, so that a name with another text direction doesn't reorder the parts. */
function renderFooter(document: PrintDocument): string {
  const parts = document.footer.map((part) => `<span>${isolate(part)}</span>`);
  return `<div class="footer">${parts.join(' ')}</div>`;
}

function renderSection(section: PrintDocument['sections'][number]): string {
  const { heading, note, warning, facts: list, text, table } = section;
  const noteHtml = note === undefined ? '' : ` <span>${isolate(note)}</span>`;
  const head = heading === '' ? '' : `<h2>${isolate(heading)}${noteHtml}</h2>`;
  const fitsPage = (table?.rows.length ?? 0) <= maxRowsPerPage;
  const classes = [...(warning === true ? ['warning'] : []), ...(fitsPage ? ['whole'] : [])];
  return `<section class="${classes.join(' ')}">${head}${renderFacts(list, 'facts')}${text === undefined ? '' : `<p>${isolate(text)}</p>`}${table === undefined ? '' : renderTable(table)}</section>`;
}

function renderFacts(list: readonly Fact[], name: string): string {
  if (list.length === 0) return '';
  const rows = list.map(
    ({ label, value, code }) =>
      `<div><dt>${escapeHtml(label)}</dt><dd>${isolate(value, code)}</dd></div>`,
  );
  return `<dl class="${name}">${rows.join('')}</dl>`;
}

function isolate(value: string, code = false): string {
  const classes = [...(code ? ['code'] : []), ...(hasArabic(value) ? ['tall'] : [])];
  const attributes = `${code ? ' dir="ltr"' : ''}${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''}`;
  return `<bdi${attributes}>${escapeHtml(value)}</bdi>`;
}

type Table = NonNullable<PrintDocument['sections'][number]['table']>;

function renderTable({ columns, widths, numberColumns = [], rows }: Table): string {
  const getClass = (index: number, isStrong = false): string =>
    `${numberColumns.includes(index) ? 'end' : ''}${isStrong ? ' strong' : ''}`.trim();
  const head = columns.map((column, index) => {
    const width = widths?.[index];
    const classes = `${width === undefined ? '' : `w${String(width)} `}${getClass(index)}`;
    return `<th scope="col" class="${classes}">${isolate(column)}</th>`;
  });
  const body = rows.map(({ cells, strong = [] }) => {
    const cellsHtml = cells.map((cell, index) => {
      const classes = getClass(index, strong.includes(index));
      const remainingColumns = columns.length - index;
      if (index === 0) return `<th scope="row" class="${classes}">${isolate(cell)}</th>`;
      return index < cells.length - 1 || remainingColumns === 1
        ? `<td class="${classes}">${isolate(cell)}</td>`
        : `<td colspan="${String(remainingColumns)}">${isolate(cell)}</td>`;
    });
    return `<tr>${cellsHtml.join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function renderStyles(document: PrintDocument, pages: number): string {
  const { kind, paper, sections, title } = document;
  // An ID that is broken beside another one is easily misread, so a long one gets the whole width.
  const isLong =
    kind === 'insurance' &&
    sections.some(({ facts }) =>
      facts.slice(0, 2).some(({ code, value }) => code === true && value.length > maxIdCharacters),
    );
  const widths = new Set(sections.flatMap(({ table }) => table?.widths ?? []));
  const { width, height } = PAPER_SIZES[paper];
  const { top, sides, bottom } = margins;
  const arabicHeight = '1.6';
  // The title is in the language of the document's own texts.
  const getLineHeight = (latinHeight: string): string =>
    hasArabic(title) ? arabicHeight : latinHeight;
  // Chromium rounds the height of a page to whole pixels.
  const pageHeight = Math.ceil((height - top - bottom) * (96 / 25.4));
  const pageNumberRules = Array.from(
    { length: pages },
    (_, at) => `.n${String(at)} { top: ${String(at * pageHeight)}px; }`,
  );
  return `
@page { size: ${String(width)}mm ${String(height)}mm; margin: ${String(top)}mm ${String(sides)}mm ${String(bottom)}mm; }
* { box-sizing: border-box; }
body { margin: 0; padding: 0 ${String(inset)}mm; color: #000; background: #fff; font: 9pt/${getLineHeight('1.35')} ${FONTS}; overflow-wrap: anywhere; }
h1, h2, p, dl, dd { margin: 0; }
.pages { inline-size: 100%; table-layout: fixed; border-collapse: collapse; }
.pages > * > tr > td { padding: 0; border: 0; }
.head, .footer { max-block-size: 60mm; overflow: hidden; }
.clinic { display: flex; justify-content: space-between; gap: 6mm; font-size: 10.5pt; padding-block-end: 1.6em; }
.title { white-space: nowrap; }
.number { position: absolute; inset-inline-end: ${String(inset)}mm; font-size: 8.5pt; line-height: ${getLineHeight('1.35')}; margin-block-start: calc(10.5pt * ${getLineHeight('1.35')}); }
${pageNumberRules.join('\n')}
.patient { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 5mm; padding-block: 1.2mm; margin-block-end: 2mm; border-block: 0.4mm solid #000; font-size: 9.5pt; }
.patient > b { font-size: 14pt; line-height: ${getLineHeight('1.3')}; flex: 1 1 auto; }
.footer { display: flex; flex-wrap: wrap; column-gap: 6mm; padding-block-start: 1mm; border-block-start: 0.2mm solid #000; font-size: 8pt; }
body > .footer { position: fixed; inset-block-end: 0; inset-inline: ${String(inset)}mm; }
tfoot .footer { visibility: hidden; margin-block-start: 1mm; }
h1 { font-size: 12pt; line-height: ${getLineHeight('1.4')}; }
h2 { margin: 2mm 0 0.3mm; font-size: 10pt; break-after: avoid; break-inside: avoid; }
h2 span { font-size: 8.5pt; font-weight: 400; padding-inline-start: 1mm; }
dl > div { break-inside: avoid; }
dt { font-size: 8.5pt; line-height: ${getLineHeight('1.4')}; }
dd { font-weight: 600; }
.main, .facts { display: grid; gap: 1mm 4mm; margin-block-start: 1mm; }
.facts { grid-template-columns: repeat(${isLong ? '1' : '2'}, minmax(0, 1fr)); }
.insurance .facts { gap: 1.5mm 6mm; padding: 2mm 4mm; border: 0.3mm solid #000; border-radius: 2mm; box-decoration-break: clone; }
.insurance section { margin-block-start: 3mm; }
.insurance dd { white-space: pre-line; }
/* These are the member ID and the group ID. */
.insurance div:nth-child(-n+2) > dd > .code { font-size: 14pt; line-height: ${getLineHeight('1.4')}; }
.labs .main { grid-template-columns: repeat(3, auto); justify-content: space-between; }
.labs section:not(.warning) > .facts { display: block; }
.labs section:not(.warning) > .facts > div { display: flex; gap: 1mm; }
.labs section:not(.warning) dt { flex: none; max-inline-size: 40%; font: inherit; }
.labs section:not(.warning) dd { font-weight: 400; white-space: pre-wrap; }
.labs section:not(.warning) dt::after { content: ':'; }
.labs section:last-child { margin-block-start: 3mm; text-align: center; }
/* A value may be in Arabic in a document of any language. */
.tall { line-height: ${arabicHeight}; }
.code { font-feature-settings: 'zero'; }
.whole { break-inside: avoid; }
section > table { inline-size: 100%; table-layout: fixed; border-collapse: collapse; line-height: ${getLineHeight('1.3')}; }
${[...widths].map((width) => `.w${String(width)} { inline-size: ${String(width)}%; }`).join('\n')}
section th, section td { padding: 0.2mm 2mm 0.2mm 0; border-bottom: 0.15mm solid #999; text-align: start; vertical-align: top; white-space: pre-wrap; font-weight: 400; }
section thead th { border-bottom: 0.25mm solid #000; font-size: 8.5pt; }
section .end { text-align: end; }
section .strong { font-weight: 700; }
tr { break-inside: avoid; }
.warning { margin-block-start: 3mm; padding: 1.5mm 3mm; border: 0.4mm solid #000; border-inline-start-width: 2mm; }
.warning h2 { margin: 0; }
.warning .facts { grid-template-columns: 1fr; margin: 0; }
.warning dt, .warning dd { font-weight: 700; }
`;
}

/** Arabic letters are taller and deeper than Latin ones, and would touch in lines of the same height. */
export function hasArabic(text: string): boolean {
  return /\p{Script=Arabic}/u.test(text);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => entities[character] ?? '');
}
