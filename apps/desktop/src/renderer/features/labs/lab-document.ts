import { INFERRED_FAILURE_TYPES, isPreliminary } from '@caregate/domain';
import type { Insurance, LabOrderResult, MissingBiomarkerResult } from '@caregate/domain';
import type { PrintDocument } from '../../../shared/print.ts';
import { hidden } from '../../app/mask.tsx';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { buildPatientHead, type Frame, type Patient } from '../printing/print-document.ts';
import { describeChanges, formatReplaced, type Correction } from './history/corrections.ts';
import type { FindEarlier } from './history/earlier-values.ts';
import { checkIdentity, parseDayMonthYear, needsLook } from './identity/identity-check.ts';
import type { IdentityCheck } from './identity/identity-check.ts';
import { describeInterpretation } from './lab-header.tsx';
import { formatNotice, findNotices } from './report-status.tsx';
import { formatRange } from './results/reference-range.ts';
import { createGetName, formatPanelName } from './results/result-names.ts';
import { groupByPanel, readResults, countByGroup } from './results/result-order.ts';
import type { PanelResults, ReadResult } from './results/result-order.ts';
import { isFlagged, interpretResult, type Reading } from './results/result-reading.ts';

type Fact = PrintDocument['main'][number];
type Section = PrintDocument['sections'][number];
type Row = NonNullable<Section['table']>['rows'][number];

export interface LabDocumentParts {
  readonly text: Text;
  readonly day: (date: string) => string;
  readonly moment: (at: string) => string;
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly birthDates: readonly string[] | undefined;
  readonly patient: Patient | undefined;
  readonly insurance: Insurance | undefined;
  readonly reason: string | undefined;
  readonly correction: Correction;
  /** Undefined if the history wasn't read. */
  readonly findEarlier: FindEarlier | undefined;
  /** Whether only abnormal results are printed. */
  readonly isAbnormalOnly: boolean;
  readonly masked: boolean;
  readonly frame: Frame;
}

/** Builds the printed summary of a report. Throws if the identity check requires a reason and there is none. */
export function buildLabDocument(parts: LabDocumentParts): PrintDocument {
  const { result, frame, text, isAbnormalOnly } = parts;
  const check = checkIdentity(parts);
  if (needsLook(check) && parts.reason === undefined) throw new Error('Identity not confirmed.');
  const all = readResults(result.results);
  const printed = all.filter(({ reading }) => !isAbnormalOnly || isFlagged(reading));
  const missing = result.missing_results ?? [];
  const data = result.metadata;
  const laboratory = data.laboratory ?? text('labs.noLaboratory');
  const count = all.length + missing.length;
  return {
    ...frame,
    kind: 'labs',
    title: text('labs.print.title'),
    heading: data.date_collected
      ? text('labs.print.heading', { laboratory, day: parts.day(data.date_collected) })
      : laboratory,
    notice: text('labs.print.notice'),
    patient: buildReportPatient(parts, check),
    main: listReportFacts(parts, all),
    sections: [
      ...buildWarnings(parts, check),
      ...(missing.length === 0 ? [] : [buildMissingSection(missing, parts)]),
      ...buildPanelSections(printed, parts),
      ...buildNotesSection(printed, parts),
      { heading: text('labs.print.reading'), facts: [], text: text('labs.print.readingHelp') },
      { heading: '', facts: [], text: text('labs.print.end', { count }) },
    ],
  };
}

/** The patient named in the report. The open patient's data fills the gaps unless the identity check has failed. */
function buildReportPatient(
  parts: LabDocumentParts,
  check: IdentityCheck,
): PrintDocument['patient'] {
  const { result, masked, text, day } = parts;
  const { patient: name, dob } = result.metadata;
  const born = dob ? parseDayMonthYear(dob) : undefined;
  const openPatient = needsLook(check) ? undefined : parts.patient;
  return buildPatientHead(
    {
      name: name || openPatient?.name,
      born: (born === undefined ? dob : day(born)) || openPatient?.born,
      clientUserId: openPatient?.clientUserId,
    },
    text,
    masked,
  );
}

function listReportFacts(
  { result, text, day }: LabDocumentParts,
  all: readonly ReadResult[],
): Fact[] {
  const { date_reported: reported, provider } = result.metadata;
  const { abnormal, missing } = countByGroup(all, result.missing_results);
  const facts: readonly (readonly [MessageKey, string | null | undefined])[] = [
    ['labs.reported', reported && day(reported)],
    ['result.orderedBy', provider],
    [
      'labs.results',
      text('labs.print.results', { count: all.length + missing, abnormal, missing }),
    ],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label: text(label), value }] : []));
}

function buildWarnings(parts: LabDocumentParts, check: IdentityCheck): Section[] {
  const { result, orderId, reason, text, isAbnormalOnly } = parts;
  const notices = findNotices(result, orderId);
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const names = createGetName(result.results, text);
  const sentences = [
    ...(isAbnormalOnly ? [text('labs.print.abnormalOnly')] : []),
    ...notices.map((notice) => formatNotice(notice, parts)),
    ...describeChanges(parts.correction, isCorrected, names, text),
    describeInterpretation(result.metadata.interpretation, text) ?? '',
  ].filter(Boolean);
  const facts = [
    ...(check.kind === 'match'
      ? []
      : [{ label: text('identity.title'), value: formatIdentity(check, parts) }]),
    ...(needsLook(check) ? [{ label: text('identity.reason'), value: reason ?? '' }] : []),
    ...(sentences.length > 0
      ? [{ label: text('reportStatus.title'), value: sentences.join(' ') }]
      : []),
  ];
  return facts.length === 0 ? [] : [{ heading: '', facts, warning: true }];
}

/** Leaves out the open patient's birth date, since the report may be about another patient. */
function formatIdentity(
  check: Exclude<IdentityCheck, { kind: 'match' }>,
  { text, masked }: LabDocumentParts,
): string {
  switch (check.kind) {
    case 'notComparable':
      return text(`identity.lacking.${check.lacking}`);
    case 'unreadable':
      return text('identity.unreadable', { raw: masked ? hidden : check.raw });
    case 'mismatch':
      return text('labs.print.mismatch');
  }
}

function buildMissingSection(
  missing: readonly MissingBiomarkerResult[],
  { text }: LabDocumentParts,
): Section {
  const rows = missing.map(({ name, inferred_failure_type: why, note }) => ({
    cells: [name, formatFailure(why, text), note ?? ''],
    strong: [0, 1],
  }));
  const columns = [text('labs.name'), text('labs.reason'), text('labs.notes')];
  return {
    heading: text('labs.missing'),
    facts: [],
    table: { columns, widths: [35, 35, 30], rows },
  };
}

function formatFailure(why: string | null | undefined, text: Text): string {
  if (why === null || why === undefined) return '';
  if ((INFERRED_FAILURE_TYPES as readonly string[]).includes(why)) {
    return text(`failure.${why}` as MessageKey);
  }
  return `${text('value.quoted', { value: why })} ${text('value.unrecognised')}`;
}

const columns: readonly (readonly [column: MessageKey, percent: number])[] = [
  ['labs.name', 23],
  ['labs.result', 16],
  ['labs.unit', 13],
  ['labs.flag', 11],
  ['labs.range', 14],
  ['history.previous', 11],
  ['history.date', 12],
];
const previousColumn = 5;

/** Keeps the laboratory's order, so that the printout can be compared with its report. */
function buildPanelSections(printed: readonly ReadResult[], parts: LabDocumentParts): Section[] {
  const { result, text } = parts;
  if (printed.length === 0) {
    return [{ heading: text('labs.results'), facts: [], text: text('labs.noResults') }];
  }
  const getName = createGetName(result.results, text);
  const groups = groupByPanel(printed, [], 'laboratory');
  const panels = groups.flatMap(({ panel }) => panel ?? []);
  return groups.map(({ panel, results }) => ({
    heading:
      formatPanelName(panel, panels) ??
      text(groups.length > 1 ? 'labs.panel.none' : 'labs.results'),
    note: formatPanelNote(results, text),
    facts: [],
    table: {
      columns: columns.map(([column]) => text(column)),
      widths: columns.map(([, percent]) => percent),
      numberColumns: [1, previousColumn],
      rows: results.map((read) => buildRow(read, getName(read.result), parts)),
    },
  }));
}

function formatPanelNote(results: PanelResults['results'], text: Text): string {
  const { abnormal } = countByGroup(results, []);
  return [
    text('labs.panel.tests', { count: results.length }),
    ...(abnormal > 0 ? [text('labs.group.abnormal', { count: abnormal })] : []),
  ].join(', ');
}

function buildRow(
  { result, reading }: ReadResult,
  name: string,
  { text, day, correction, findEarlier }: LabDocumentParts,
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
    reading.flag === 'noRange' ? '' : formatRange(reading.range, text),
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
    // A comment spans the remaining columns.
    cells: result.type === 'comment' ? cells.slice(0, 2) : cells,
    strong: [...(isFlagged(reading) ? [0, 1, 3] : []), ...(isLastFlagged ? [previousColumn] : [])],
  };
}

function formatFlag(reading: Reading, text: Text): string {
  const { flag, direction, conflicts, unrecognised } = reading;
  return [
    ...unrecognised.map((value) => text('value.quoted', { value })),
    // A result in range is printed without a flag.
    ...(flag === 'normal' || flag === 'unrecognised' ? [] : [text(`flag.${flag}`)]),
    ...(direction !== undefined && direction !== flag ? [text(`flag.${direction}`)] : []),
    ...(conflicts.length > 0 && flag !== 'conflict' ? [text('flag.conflict')] : []),
  ].join(' · ');
}

function buildNotesSection(
  printed: readonly ReadResult[],
  { result, text }: LabDocumentParts,
): Section[] {
  const getName = createGetName(result.results, text);
  const facts = printed.flatMap(({ result: one, reading: { conflicts } }) => {
    const notes = [...conflicts.map((conflict) => text(`conflict.${conflict}`)), one.notes ?? ''];
    const value = notes.filter((note) => note !== '').join('\n');
    return value === '' ? [] : [{ label: getName(one), value }];
  });
  return facts.length === 0 ? [] : [{ heading: text('result.notes'), facts }];
}
