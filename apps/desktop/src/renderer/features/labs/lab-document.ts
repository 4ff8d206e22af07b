import {
  INFERRED_FAILURE_TYPES,
  INTERPRETATIONS,
  isPreliminary,
  METADATA_STATUSES,
} from '@caregate/domain';
import type { Insurance, LabOrderResult, MissingBiomarkerResult } from '@caregate/domain';
import { namesIn, panelName } from './results/result-names.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { rangeText } from './results/reference-range.ts';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { patientHead } from '../printing/print-document.ts';
import type { Frame, Patient } from '../printing/print-document.ts';
import { hidden } from '../../app/mask.tsx';
import { checkIdentity, dayMonthYear, needsLook } from './identity/identity-check.ts';
import type { IdentityCheck } from './identity/identity-check.ts';
import { changeSentences, wasText } from './history/corrections.ts';
import type { Correction } from './history/corrections.ts';
import type { EarlierOf } from './history/earlier-values.ts';
import { besideStatus, noticeText, reportNoticesOf } from './report-status.tsx';
import { byPanel, FLAGGED_GROUPS, GROUPS, readResults, summaryOf } from './results/result-order.ts';
import type { Group, ReadResult } from './results/result-order.ts';
import { isFlagged, readingOf } from './results/result-reading.ts';
import type { Reading } from './results/result-reading.ts';

type Fact = PrintDocument['main'][number];
type Section = PrintDocument['sections'][number];
type Row = NonNullable<Section['table']>['rows'][number];

interface LabDocumentParts {
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
  readonly earlierOf: EarlierOf | undefined;
  readonly masked: boolean;
  readonly frame: Frame;
}

/** The printed summary of a report. Throws if the identity check needs a reason and there is none. */
export function labDocument(parts: LabDocumentParts): PrintDocument {
  const { result, frame, text } = parts;
  const check = checkIdentity(parts);
  if (needsLook(check) && parts.reason === undefined) throw new Error('Identity not confirmed.');
  const all = readResults(result.results);
  const missing = result.missing_results ?? [];
  const data = result.metadata;
  const collected = data.date_collected && parts.day(data.date_collected);
  return {
    ...frame,
    kind: 'labs',
    title: text('labs.print.title'),
    heading:
      [data.laboratory, collected && `${text('labs.collected')} ${collected}`]
        .filter(Boolean)
        .join(' · ') || text('labs.laboratory'),
    notice: text('labs.print.notice'),
    patient: head(parts, check),
    main: reportFacts(parts, check, all),
    sections: [
      ...warnings(parts, check),
      ...(missing.length === 0 ? [] : [missingSection(missing, parts)]),
      ...panelSections(all, parts),
      ...notesSection(all, parts),
    ],
  };
}

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
  ['labs.flag', 13],
  ['labs.range', 16],
  ['history.previous', 12],
  ['history.date', 12],
];
const previous = 5;

/** In the laboratory's order, so that the paper can be compared with its report. */
function panelSections(all: readonly ReadResult[], parts: LabDocumentParts): Section[] {
  const { result, text } = parts;
  if (all.length === 0) {
    const none = { label: '', value: text('labs.noResults') };
    return [{ heading: text('labs.results'), facts: [none] }];
  }
  const nameOf = namesIn(result.results, text);
  const withPrevious = all.some(({ result: one }) => parts.earlierOf?.(one)[0] !== undefined);
  const columns = withPrevious ? columnsWithPrevious : usualColumns;
  const groups = byPanel(all, [], 'laboratory');
  const panels = groups.flatMap(({ panel }) => panel ?? []);
  return groups.map(({ panel, results }) => ({
    heading:
      panelName(panel, panels) ?? text(groups.length > 1 ? 'labs.panel.none' : 'labs.results'),
    note: [
      text('labs.panel.tests', { count: results.length }),
      ...groupTexts(summaryOf(results, []), FLAGGED_GROUPS, text),
    ].join(', '),
    facts: [],
    table: {
      columns: columns.map(([column]) => text(column)),
      widths: columns.map(([, percent]) => percent),
      numberColumns: [1, ...(withPrevious ? [previous] : [])],
      rows: results.map((read) => rowOf(read, nameOf(read.result), parts, withPrevious)),
    },
  }));
}

function groupTexts(
  counts: Readonly<Record<Group, number>>,
  groups: readonly Group[],
  text: Text,
): string[] {
  return groups
    .filter((group) => counts[group] > 0)
    .map((group) => text(`labs.group.${group}`, { count: counts[group] }));
}

function notesSection(all: readonly ReadResult[], { result, text }: LabDocumentParts): Section[] {
  const nameOf = namesIn(result.results, text);
  const facts = all.flatMap(({ result: one, reading: { conflicts } }) => {
    const notes = [...conflicts.map((conflict) => text(`conflict.${conflict}`)), one.notes ?? ''];
    const value = notes.filter((note) => note !== '').join('\n');
    return value === '' ? [] : [{ label: nameOf(one), value }];
  });
  return facts.length === 0 ? [] : [{ heading: text('labs.notes'), facts }];
}

function warnings(parts: LabDocumentParts, check: IdentityCheck): Section[] {
  const { result, orderId, reason, text } = parts;
  const notices = reportNoticesOf(result, orderId);
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const names = namesIn(result.results, text);
  const changes = changeSentences(parts.correction, isCorrected, names, text);
  const identity = [
    { label: text('identity.title'), value: identityText(check, parts) },
    { label: text('identity.reason'), value: reason ?? '' },
  ];
  const facts = [
    ...(needsLook(check) ? identity : []),
    ...notices.map((notice) => {
      const { short, sentence } = noticeText(notice, parts);
      return { label: short, value: sentence };
    }),
    ...(changes.length > 0 ? [{ label: text('changes.title'), value: changes.join(' ') }] : []),
  ];
  return facts.length === 0 ? [] : [{ heading: text('labs.print.first'), facts, warning: true }];
}

/** The patient named by the report. What it lacks is taken from the open patient, if the identity check allows that. */
function head(parts: LabDocumentParts, check: IdentityCheck): PrintDocument['patient'] {
  const { result, masked, text, day } = parts;
  const { patient: name, dob } = result.metadata;
  const born = dob ? dayMonthYear(dob) : undefined;
  const known = needsLook(check) ? undefined : parts.patient;
  return patientHead(
    {
      name: name || known?.name,
      born: (born === undefined ? dob : day(born)) || known?.born,
      clientUserId: known?.clientUserId,
    },
    text,
    masked,
  );
}

/** The facts that the laboratory sent about the report. */
function reportFacts(
  parts: LabDocumentParts,
  check: IdentityCheck,
  all: readonly ReadResult[],
): Fact[] {
  const { result, orderId, masked, text, day } = parts;
  const data = result.metadata;
  const status = openText(text, data.status, Object.values(METADATA_STATUSES), 'labs.status');
  const besides = besideStatus(reportNoticesOf(result, orderId), data.status);
  const notices = besides.map((notice) => noticeText(notice, parts).short);
  const summary = groupTexts(summaryOf(all, result.missing_results), GROUPS, text);
  const age = data.age?.toString();
  const facts: readonly (readonly [MessageKey, string | null | undefined])[] = [
    ['labs.reported', data.date_reported && day(data.date_reported)],
    ['labs.provider', data.provider],
    ['status.label', [status, ...notices].filter(Boolean).join(' · ')],
    [
      'labs.interpretation',
      openText(text, data.interpretation, Object.values(INTERPRETATIONS), 'labs.read'),
    ],
    ['labs.specimen', data.specimen_number],
    ['labs.received', data.date_received && day(data.date_received)],
    ['labs.measured', measuredText(parts)],
    ['labs.clia', data.clia_number],
    ['labs.age', age && masked ? hidden : age],
    ['labs.print.summary', summary.join(' · ')],
    ['labs.print.identity', identityText(check, parts)],
  ];
  return [
    ...facts.flatMap(([label, value]) => (value ? [{ label: text(label), value }] : [])),
    { label: text('labs.orderId'), value: orderId, code: true },
  ];
}

/** When the first and the last result were measured; undefined if all were on the day of the collection. */
function measuredText({ result, moment }: LabDocumentParts): string | undefined {
  const times = result.results
    .flatMap(({ timestamp }) => timestamp || [])
    .toSorted((one, other) => Date.parse(one) - Date.parse(other));
  const day = result.metadata.date_collected?.slice(0, 10) ?? ' ';
  if (times.every((time) => time.startsWith(day))) return undefined;
  return [...new Set([times[0], times.at(-1)])].map((time = '') => moment(time)).join(' – ');
}

/** Leaves out the open patient's birth date, since the paper may be about somebody else. */
function identityText(check: IdentityCheck, parts: LabDocumentParts): string {
  const { text, masked } = parts;
  switch (check.kind) {
    case 'match':
      return text('identity.match');
    case 'notComparable':
      return text(`identity.lacking.${check.lacking}`);
    case 'unreadable':
      return text('identity.unreadable', { raw: masked ? hidden : check.raw });
    case 'mismatch':
      return text('labs.print.mismatch');
  }
}

function missingSection(
  missing: readonly MissingBiomarkerResult[],
  { text }: LabDocumentParts,
): Section {
  const rows = missing.map(({ name, inferred_failure_type: why, note }) => ({
    cells: [name, openText(text, why, INFERRED_FAILURE_TYPES, 'failure') ?? '', note ?? ''],
    strong: [0, 1],
  }));
  const columns = [text('labs.name'), text('labs.reason'), text('labs.notes')];
  return {
    heading: text('labs.missing'),
    facts: [],
    table: { columns, widths: [35, 35, 30], rows },
  };
}

function rowOf(
  { result, reading }: ReadResult,
  name: string,
  { text, day, correction, earlierOf }: LabDocumentParts,
  withPrevious: boolean,
): Row {
  const was = correction.wasOf(result);
  const last = earlierOf?.(result)[0];
  const lastReading = last && readingOf(last.measured);
  const isLastFlagged = lastReading !== undefined && isFlagged(lastReading);
  const cells = [
    [
      name,
      ...(isPreliminary(result) ? [text('labs.preliminary')] : []),
      ...(was === undefined ? [] : [`${text('changes.corrected')} ${wasText(was, result, text)}`]),
    ].join(' · '),
    result.result,
    result.unit ?? '',
    flagText(reading, text),
    reading.reportedNormal
      ? text('flag.reportedNormal')
      : reading.flag === 'noRange'
        ? ''
        : rangeText(reading.range, text),
    [
      last?.measured.result,
      isLastFlagged && flagText(lastReading, text),
      last?.replaced && wasText(last.replaced, last.measured, text),
    ]
      .filter(Boolean)
      .join(' '),
    last === undefined ? '' : day(last.date),
  ];
  return {
    // A comment takes all columns.
    cells: cells.slice(0, result.type === 'comment' ? 2 : withPrevious ? cells.length : previous),
    strong: [...(isFlagged(reading) ? [0, 1, 3] : []), ...(isLastFlagged ? [previous] : [])],
  };
}

function flagText(reading: Reading, text: Text): string {
  const { flag, direction, conflicts, unrecognised } = reading;
  return [
    // A value in range has no flag.
    ...(flag === 'normal' ? [] : [text(`flag.${flag}`)]),
    ...(direction !== undefined && direction !== flag ? [text(`flag.${direction}`)] : []),
    ...(conflicts.length > 0 && flag !== 'conflict' ? [text('flag.conflict')] : []),
    ...unrecognised.map((value) => text('value.quoted', { value })),
  ].join(' · ');
}

function openText(
  text: Text,
  value: string | null | undefined,
  known: readonly string[],
  words: string,
): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (known.includes(value)) return text(`${words}.${value}` as MessageKey);
  return `${text('value.quoted', { value })} ${text('value.unrecognised')}`;
}
