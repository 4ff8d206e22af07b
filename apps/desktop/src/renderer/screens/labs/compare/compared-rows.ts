import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { groupOf } from '../../../components/results/result-order.ts';
import { readingOf } from '../../../components/results/result-reading.ts';
import type { Reading } from '../../../components/results/result-reading.ts';
import { finite } from '../../../components/results/reference-range.ts';
import { isSameInReport } from '../history/versions.ts';
import type { NameOf } from '../../../components/results/result-names.ts';

export const MOST_COMPARED = 5;

export type Cell =
  | { readonly kind: 'measured'; readonly result: BiomarkerResult; readonly reading: Reading }
  | { readonly kind: 'missing' | 'absent' };

/** What sets a biomarker apart across the reports, most telling first; the last two are folded. */
export const KINDS = [
  'corrected',
  'crossed',
  'outside',
  'notInEach',
  'words',
  'inside',
  'noRange',
] as const;
export type Kind = (typeof KINDS)[number];

export const FOLDED: ReadonlySet<Kind> = new Set(['inside', 'noRange']);

export interface ComparedRow {
  readonly name: string;
  readonly kind: Kind;
  readonly cells: readonly Cell[];
  readonly unit: string | undefined;
}

/** Each biomarker of any of the reports once; oldest report first. */
export function comparedRows(
  reports: readonly Pick<LabOrderResult, 'results' | 'missing_results'>[],
  isCorrected: (result: BiomarkerResult) => boolean = () => false,
  nameOf: NameOf = ({ name }) => name,
): readonly ComparedRow[] {
  const found: { any: BiomarkerResult; of: (BiomarkerResult | undefined)[] }[] = [];
  // The newest report's own order first.
  for (const place of [...reports.keys()].toReversed()) {
    for (const result of reports[place]?.results ?? []) {
      const row = found.find(
        ({ any, of }) => of[place] === undefined && isSameInReport(any, result),
      );
      if (row !== undefined) row.of[place] = result;
      else
        found.push({
          any: result,
          of: reports.map((_one, at) => (at === place ? result : undefined)),
        });
    }
  }
  return found.map(({ any, of }) => {
    const cells = of.map((result, place): Cell => {
      if (result !== undefined) return { kind: 'measured', result, reading: readingOf(result) };
      const missing = reports[place]?.missing_results ?? [];
      return { kind: missing.some(({ slug }) => slug === any.slug) ? 'missing' : 'absent' };
    });
    const measured = of.filter((result) => result !== undefined);
    const units = new Set(measured.map(({ unit }) => unit ?? ''));
    const kind = measured.some(isCorrected) ? 'corrected' : kindOf(cells, units.size > 1);
    const [unit] = units;
    return { name: nameOf(any), kind, cells, unit: units.size === 1 ? unit : undefined };
  });
}

function kindOf(cells: readonly Cell[], hasUnits: boolean): Kind {
  const measured = cells.flatMap((cell) => (cell.kind === 'measured' ? [cell] : []));
  const groups = measured.map(({ reading }) => groupOf(reading));
  const isPlain = (group: string): boolean =>
    group === 'inside' || group === 'noRange' || group === 'notAssessed';
  if (groups.some((group) => !isPlain(group))) {
    if (groups.some(isPlain)) return 'crossed';
    return measured.length === cells.length ? 'outside' : 'notInEach';
  }
  if (measured.length < cells.length) return 'notInEach';
  const words = measured.filter(({ result }) => finite(result.value) === undefined);
  const said = new Set(words.map(({ result }) => result.result.trim()));
  if (hasUnits || said.size > 1 || (words.length > 0 && words.length < measured.length)) {
    return 'words';
  }
  return groups.every((group) => group === 'inside') ? 'inside' : 'noRange';
}
