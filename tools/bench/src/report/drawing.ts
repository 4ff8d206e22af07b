import type { Row } from '../measure.ts';
import type { Results } from './check.ts';

const width = 1120;
const left = 600;
/** Characters beside a bar; more would not fit. */
const mostCharacters = 84;
const right = 90;
const barHeight = 16;
const rowHeight = 24;
const headHeight = 34;
/** Of the text behind a bar, at most. */
const valueWidth = 64;
/** Of the goal; longer bars are cut, and marked so. */
const longest = 3;
const unit = (width - left - right) / longest;

/** A bar: its length as a part of the goal, and what stands behind it. */
interface Bar extends Pick<Row, 'what' | 'bound' | 'kept'> {
  readonly part: number;
  readonly value: string;
}

/**
 * The rows with a goal as an SVG: a bar for each, by section, and the goal as a line. A bar tells how far a row is from its
 * goal: one that reaches past the line misses it, whether the goal is the most or the least.
 *
 * @param about one line below the title: the machine and the day
 */
export function drawing(results: Results, about: string): string {
  const parts: string[] = [];
  let y = 64;
  for (const [section, rows] of Object.entries(results)) {
    const drawn = rows.flatMap(barOf);
    if (drawn.length === 0) {
      continue;
    }
    parts.push(`<text class="section" x="16" y="${y + 20}">${escaped(section)}</text>`);
    y += headHeight;
    const end = y + drawn.length * rowHeight;
    for (const row of drawn) {
      parts.push(bar(row, y));
      y += rowHeight;
    }
    parts.push(
      `<line class="goal" x1="${left + unit}" x2="${left + unit}" y1="${end - drawn.length * rowHeight - 4}" y2="${end}"/>`,
    );
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 16}" role="img">`,
    '<title>What the bench measured, as a part of each goal</title>',
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${y + 16}"/>`,
    '<text class="title" x="16" y="28">What the bench measured, as a part of each goal (the line)</text>',
    `<text class="about" x="16" y="48">${escaped(about)}</text>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/** The bar of a row with a goal, as a list of one; of others an empty one. */
function barOf({
  what,
  bound,
  kept,
  ratio,
  goal,
  limit,
  measured,
  baseline,
  unit: of,
}: Row): Bar[] {
  const name = { what, ...(bound !== undefined && { bound }), ...(kept !== undefined && { kept }) };
  if (goal !== undefined && ratio !== undefined && Number.isFinite(ratio)) {
    const part = 'most' in goal ? ratio / goal.most : goal.least / ratio;
    return [{ ...name, part, value: `${ratio.toFixed(2)}x` }];
  }
  const added = measured - (baseline ?? 0);
  return limit === undefined || !Number.isFinite(added)
    ? []
    : [
        {
          ...name,
          part: Math.max(0, added / limit),
          value: `${added.toFixed(added < 10 ? 2 : 0)} ${of}`,
        },
      ];
}

function bar({ what, bound = '', kept, part, value }: Bar, y: number): string {
  const length = (Math.min(part, longest) * unit).toFixed(1);
  const end = left + Number(length);
  // The line would go through what stands behind a bar that ends shortly before it.
  const isBeforeLine = end < left + unit && end + valueWidth > left + unit;
  const behind = (isBeforeLine ? left + unit : end) + 6;
  const kind = kept === false ? 'missed' : 'kept';
  const cut = part > longest ? ' …' : '';
  const text = `y="${y + barHeight - 3}"`;
  const label = `${what}, ${bound}`;
  return [
    `<text class="what" x="${left - 10}" ${text}>${escaped(shortened(label))}</text>`,
    `<rect class="${kind}" x="${left}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`,
    `<text class="ratio" x="${behind}" ${text}>${escaped(value)}${cut}</text>`,
  ].join('');
}

/** Its beginning says of what, and its end says what is promised: what is too long is cut between them. */
function shortened(label: string): string {
  if (label.length <= mostCharacters) {
    return label;
  }
  const half = mostCharacters / 2;
  return `${label.slice(0, half - 1).trimEnd()} … ${label.slice(2 - half).trimStart()}`;
}

/** Rows and sections are ours, and the machine's name is not. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Light and dark, as the page it stands on. */
const style = `
text{font:13px system-ui,sans-serif;fill:#1f2933}.title{font-size:16px;font-weight:600}.section{font-weight:600}
.about{fill:#5f6b7a}.what{text-anchor:end}.page{fill:#fff}.kept{fill:#2f7d6d}.missed{fill:#c2622d}
.goal{stroke:#1f2933;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#e6e9ed}.about{fill:#a3adb9}.page{fill:#14181d}.kept{fill:#52b39e}
.missed{fill:#e58a52}.goal{stroke:#e6e9ed}}`;
