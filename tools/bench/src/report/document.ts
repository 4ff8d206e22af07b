import { table } from '../measure.ts';
import type { Section } from '../measure.ts';
import type { Results } from './check.ts';

const begin = '<!-- measured: written by npm run bench -->';
const end = '<!-- /measured -->';

/**
 * A document with the tables of a run, a heading for each section that ran, in place of those of the run before.
 *
 * @param about one line above the tables: the machine and the day
 * @throws Error where the document has no place for them, or two
 */
export function withTables(
  document: string,
  sections: readonly Pick<Section, 'name' | 'title'>[],
  results: Results,
  about: string,
): string {
  const [before, ...afterBegin] = document.split(begin);
  const [, ...after] = afterBegin.join(begin).split(end);
  if (before === undefined || afterBegin.length !== 1 || after.length !== 1) {
    throw new Error(`The document needs one "${begin}" and one "${end}" below it.`);
  }
  const tables = sections.flatMap(({ name, title }) => {
    const rows = results[name];
    return rows === undefined || rows.length === 0 ? [] : [`### ${title}`, table(rows)];
  });
  return `${before}${[begin, about, ...tables, end].join('\n\n')}${after.join('')}`;
}
