import { INFERRED_FAILURE_TYPES, isPreliminary } from '@caregate/domain';
import type { MissingBiomarkerResult } from '@caregate/domain';
import type { PrintDocument } from '../../../shared/print.ts';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { formatReplaced } from './history/corrections.ts';
import type { LabDocumentParts } from './lab-document.ts';
import { formatRange } from './results/reference-range.ts';
import { createGetName, formatPanelName } from './results/result-names.ts';
import { groupByPanel, FLAGGED_GROUPS, countByGroup } from './results/result-order.ts';
import type { Group, ReadResult } from './results/result-order.ts';
import { isFlagged, interpretResult } from './results/result-reading.ts';
import type { Reading } from './results/result-reading.ts';

type Section = PrintDocument['sections'][number];
type Row = NonNullable<Section['table']>['rows'][number];

type Columns = readonly (readonly [column: MessageKey, percent: number])[];
const usualColumns: Columns = [
  ['labs.name', 28],
  ['labs.result', 16],
  ['labs.unit', 16],
  ['labs.flag', 22],
  ['labs.range', 18],
];
const columnsWithPrevious: Columns = [
  ['labs.name', 22],
  ['labs.result', 13],
  ['labs.unit', 12],
  ['labs.flag', 11],
  ['labs.range', 18],
  ['history.previous', 12],
  ['history.date', 12],
];
const previousColumn = 5;

/** In the laboratory's order, so that the paper can be compared with its report. */
export function buildPanelSections(all: readonly ReadResult[], parts: LabDocumentParts): Section[] {
  const { result, text } = parts;
  if (all.length === 0) {
    const none = { label: '', value: text('labs.noResults') };
    return [{ heading: text('labs.results'), facts: [none] }];
  }
  const getName = createGetName(result.results, text);
  const withPrevious = all.some(({ result: one }) => parts.findEarlier?.(one)[0] !== undefined);
  const columns = withPrevious ? columnsWithPrevious : usualColumns;
  const groups = groupByPanel(all, [], 'laboratory');
  const panels = groups.flatMap(({ panel }) => panel ?? []);
  return groups.map(({ panel, results }) => ({
    heading:
      formatPanelName(panel, panels) ??
      text(groups.length > 1 ? 'labs.panel.none' : 'labs.results'),
    note: [
      text('labs.panel.tests', { count: results.length }),
      ...formatGroups(countByGroup(results, []), FLAGGED_GROUPS, text),
    ].join(', '),
    facts: [],
    table: {
      columns: columns.map(([column]) => text(column)),
      widths: columns.map(([, percent]) => percent),
      numberColumns: [1, ...(withPrevious ? [previousColumn] : [])],
      rows: results.map((read) => buildRow(read, getName(read.result), parts, withPrevious)),
    },
  }));
}

export function buildMissingSection(
  missing: readonly MissingBiomarkerResult[],
  { text }: LabDocumentParts,
): Section {
  const rows = missing.map(({ name, inferred_failure_type: why, note }) => ({
    cells: [name, formatOpenValue(text, why, INFERRED_FAILURE_TYPES, 'failure') ?? '', note ?? ''],
    strong: [0, 1],
  }));
  const columns = [text('labs.name'), text('labs.reason'), text('labs.notes')];
  return {
    heading: text('labs.missing'),
    facts: [],
    table: { columns, widths: [35, 35, 30], rows },
  };
}

function buildRow(
  { result, reading }: ReadResult,
  name: string,
  { text, day, correction, findEarlier }: LabDocumentParts,
  withPrevious: boolean,
): Row {
  const replaced = correction.findReplaced(result);
  const last = findEarlier?.(result)[0];
  const lastReading = last && interpretResult(last.measured);
  const isLastFlagged = lastReading !== undefined && isFlagged(lastReading);
  const cells = [
    [
      name,
      ...(isPreliminary(result) ? [text('labs.preliminary')] : []),
      ...(replaced === undefined
        ? []
        : [`${text('changes.corrected')} ${formatReplaced(replaced, result, text)}`]),
    ].join(' · '),
    result.result,
    result.unit ?? '',
    formatFlag(reading, text),
    reading.reportedNormal
      ? text('flag.reportedNormal')
      : reading.flag === 'noRange'
        ? ''
        : formatRange(reading.range, text),
    [
      last?.measured.result,
      isLastFlagged && formatFlag(lastReading, text),
      last?.replaced && formatReplaced(last.replaced, last.measured, text),
    ]
      .filter(Boolean)
      .join(' '),
    last === undefined ? '' : day(last.date),
  ];
  return {
    // A comment takes all columns.
    cells: cells.slice(
      0,
      result.type === 'comment' ? 2 : withPrevious ? cells.length : previousColumn,
    ),
    strong: [...(isFlagged(reading) ? [0, 1, 3] : []), ...(isLastFlagged ? [previousColumn] : [])],
  };
}

function formatFlag(reading: Reading, text: Text): string {
  const { flag, direction, conflicts, unrecognised } = reading;
  return [
    // A value in range has no flag.
    ...(flag === 'normal' ? [] : [text(`flag.${flag}`)]),
    ...(direction !== undefined && direction !== flag ? [text(`flag.${direction}`)] : []),
    ...(conflicts.length > 0 && flag !== 'conflict' ? [text('flag.conflict')] : []),
    ...unrecognised.map((value) => text('value.quoted', { value })),
  ].join(' · ');
}

/** Counts of results in words, as in "1 missing". */
export function formatGroups(
  counts: Readonly<Record<Group, number>>,
  groups: readonly Group[],
  text: Text,
): string[] {
  return groups
    .filter((group) => counts[group] > 0)
    .map((group) => text(`labs.group.${group}`, { count: counts[group] }));
}

/** A value of an open enum in words; an unknown one in quotation marks. */
export function formatOpenValue(
  text: Text,
  value: string | null | undefined,
  knownValues: readonly string[],
  keyPrefix: string,
): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (knownValues.includes(value)) return text(`${keyPrefix}.${value}` as MessageKey);
  return `${text('value.quoted', { value })} ${text('value.unrecognised')}`;
}
