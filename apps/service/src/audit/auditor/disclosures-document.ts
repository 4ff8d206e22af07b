import { createHash } from 'node:crypto';
import type { AuditActor, Disclosure, PrintLanguage, PrintPaper } from '@caregate/domain';
import { DISCLOSURE_WORDS, wordOf, type DisclosureWords } from './disclosure-words.ts';

/** What the document says. */
export interface DocumentParts {
  readonly userId: string;
  /** As asked; null: open. */
  readonly range: { readonly from: string | null; readonly to: string | null };
  readonly disclosures: readonly Disclosure[];
  /** Whether these are all of the range. */
  readonly isWhole: boolean;
  readonly language: PrintLanguage;
  readonly paper: PrintPaper;
  /** IANA id. */
  readonly timeZone: string;
  readonly printedBy: string;
  readonly printedAt: Date;
}

/** A document to print that names, in its footer, the audit record of its own making. */
export interface DocumentText {
  /** The text of its style, which its Content-Security-Policy names by hash. */
  readonly style: string;
  readonly withRecord: (recordId: string) => string;
}

/** Plain HTML: no script, nothing loaded, every text escaped. The title names no patient, since it becomes a file name. */
export function documentText(parts: DocumentParts): DocumentText {
  const { language, paper } = parts;
  const words = DISCLOSURE_WORDS[language];
  const style = styleOf(paper, words);
  const head = [
    '<!doctype html>',
    `<html lang="${language}" dir="${words.direction}"><head><meta charset="utf-8">`,
    `<title>${escaped(words.title)}</title>`,
    `<style>${style}</style></head>`,
    `<body><h1>${escaped(words.title)}</h1><p class="notice">${escaped(words.notice)}</p>`,
    factsOf(parts, words),
    parts.isWhole ? '' : `<p class="warning">${escaped(words.cutOff)}</p>`,
    tableOf(parts, words),
  ].join('\n');
  return {
    style,
    withRecord: (recordId) => `${head}\n${footerOf(parts, words, recordId)}\n</body></html>\n`,
  };
}

/** Headers of such a document: nothing may run or be loaded, and its one style is named. */
export function documentHeaders(style: string): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'sandbox allow-modals',
    ].join('; '),
  };
}

function factsOf(parts: DocumentParts, words: DisclosureWords): string {
  const { range, timeZone } = parts;
  const isOpen = range.from === null && range.to === null;
  const period = isOpen ? words.wholeRange : `${range.from ?? '…'} – ${range.to ?? '…'}`;
  const facts: readonly (readonly [string, string])[] = [
    [words.user, parts.userId],
    [words.range, `${period} (${timeZone})`],
    [words.count, String(parts.disclosures.length)],
  ];
  const rows = facts.map(
    ([label, value]) =>
      `<div><dt>${escaped(label)}</dt><dd><bdi dir="ltr">${escaped(value)}</bdi></dd></div>`,
  );
  return `<dl>${rows.join('')}</dl>`;
}

/** Browsers repeat the head on every page that the table goes on to. */
function tableOf(parts: DocumentParts, words: DisclosureWords): string {
  if (parts.disclosures.length === 0) {
    return `<p>${escaped(words.none)}</p>`;
  }
  const time = timeFormat(parts);
  const head = words.columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('');
  const rows = parts.disclosures.map((disclosure) => {
    const { actor, desk, what } = disclosure;
    const cells = [
      [time.format(new Date(disclosure.occurred_at))],
      [
        actor.name ?? words.unnamed,
        ...whoIs(actor, words),
        ...(desk == null ? [] : [`${words.desk}: ${desk.name ?? desk.desk_id}`]),
      ],
      [what, `${words.record} ${disclosure.record_id}`],
      [whyOf(disclosure, words)],
    ];
    return `<tr>${cells.map(cellOf).join('')}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function cellOf([first = '', ...more]: readonly string[]): string {
  const rest = more.map((line) => `<small><bdi>${escaped(line)}</bdi></small>`);
  return `<td><bdi>${escaped(first)}</bdi>${rest.join('')}</td>`;
}

function whoIs({ type, id, role }: AuditActor, words: DisclosureWords): string[] {
  const named = role == null ? '' : wordOf(words.roles, role);
  const key = type === 'key' && id != null ? `${words.key} ${id}` : '';
  return [named, key].filter((line) => line !== '');
}

function whyOf({ why, break_glass_id: grantId }: Disclosure, words: DisclosureWords): string {
  if (grantId != null) {
    return why == null ? words.emergency : `${words.emergency}: ${wordOf(words.reasons, why)}`;
  }
  return why ?? words.byRole;
}

/** At the end of the document, and under each page where the browser draws margin boxes. */
function footerOf(parts: DocumentParts, words: DisclosureWords, recordId: string): string {
  const lines = [
    `${words.printedBy} ${parts.printedBy}`,
    timeFormat(parts).format(parts.printedAt),
    `${words.record} ${recordId}`,
  ];
  return `<footer>${lines.map((line) => `<div><bdi>${escaped(line)}</bdi></div>`).join('')}</footer>`;
}

function timeFormat({ language, timeZone }: DocumentParts): Intl.DateTimeFormat {
  // Latin digits and the Gregorian calendar in every language: such a list is compared with others.
  return new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
    ...{ year: 'numeric', month: 'short', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    timeZoneName: 'short',
    timeZone,
  });
}

const PAPER_SIZES: Readonly<Record<PrintPaper, string>> = { a4: 'A4', letter: 'letter' };

function styleOf(paper: PrintPaper, { page: [before, between, after] }: DisclosureWords): string {
  const [left, middle, right] = [before, between, after].map((text) => JSON.stringify(text));
  return `
@page { size: ${PAPER_SIZES[paper]}; margin: 18mm; @bottom-center { content: ${left} counter(page) ${middle} counter(pages) ${right}; font: 8pt sans-serif; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-inline-size: 180mm; color: #000; background: #fff; font: 10pt/1.35 'Segoe UI','Noto Sans','Noto Sans Arabic','DejaVu Sans',sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 18pt; line-height: 1.4; }
.notice { margin: 1mm 0 5mm; font-weight: 600; }
.warning { padding: 2mm 4mm; border: 0.8mm solid #000; font-weight: 700; }
dl, dd { margin: 0; }
dl { padding: 4mm; border: 0.5mm solid #000; border-radius: 3mm; }
dl > div { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 3fr); gap: 3mm; padding: 0.8mm 0; }
table { inline-size: 100%; margin-block-start: 5mm; table-layout: fixed; border-collapse: collapse; font-size: 8.5pt; }
th, td { padding: 1mm 1.5mm; border-bottom: 0.2mm solid #000; text-align: start; vertical-align: top; }
thead th { border-bottom-width: 0.4mm; }
th:first-child { inline-size: 22%; } th:last-child { inline-size: 20%; }
tr { break-inside: avoid; }
small { display: block; font-size: 7.5pt; }
footer { margin-block-start: 6mm; font-size: 8pt; break-inside: avoid; }
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as text, in content and in quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => entities[character] ?? '');
}
