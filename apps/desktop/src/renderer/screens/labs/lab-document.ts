import {
  INFERRED_FAILURE_TYPES,
  INTERPRETATIONS,
  isPreliminary,
  METADATA_STATUSES,
} from '@caregate/domain';
import type { Insurance, LabOrderResult, MissingBiomarkerResult } from '@caregate/domain';
import { namesIn } from '../../components/results/result-names.ts';
import type { PrintDocument } from '../../../bridge/print.ts';
import { rangeText } from '../../components/results/reference-range.ts';
import type { MessageKey, Text } from '../../text/text.tsx';
import { patientHead } from '../../print/print-document.ts';
import type { Frame, Patient } from '../../print/print-document.ts';
import { hidden } from '../../state/mask.tsx';
import { checkIdentity, dayMonthYear, needsLook } from '../../state/orders/identity-check.ts';
import type { IdentityCheck } from '../../state/orders/identity-check.ts';
import { wasText } from './history/versions.ts';
import type { Correction } from './history/use-history.ts';
import { besideStatus, noticeText, reportNoticesOf } from './report-status/report-status.ts';
import {
  ALWAYS_SHOWN,
  GROUPS,
  readResults,
  sorted,
  summaryOf,
} from '../../components/results/result-order.ts';
import type { ReadResult } from '../../components/results/result-order.ts';
import { isFlagged } from '../../components/results/result-reading.ts';
import type { FlagName } from '../../components/results/result-reading.ts';

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
  /** What a correction replaced. */
  readonly wasOf: Correction['wasOf'];
  readonly masked: boolean;
  readonly frame: Frame;
}

/** An order's result to print: all results, the missing ones first. Throws if its identity isn't confirmed. */
export function labDocument(parts: LabDocumentParts): PrintDocument {
  const { result, frame, text } = parts;
  const check = checkIdentity(parts);
  if (needsLook(check) && parts.reason === undefined) throw new Error('Identity not confirmed.');
  const all = readResults(result.results);
  const missing = result.missing_results ?? [];
  const nameOf = namesIn(result.results, text);
  const counts = summaryOf(all, missing);
  const summary = GROUPS.filter((group) => counts[group] > 0 || ALWAYS_SHOWN.has(group)).map(
    (group) => text(`labs.group.${group}`, { count: counts[group] }),
  );
  return {
    ...frame,
    kind: 'labs',
    title: text('labs.print.title'),
    notice: text('labs.print.notice'),
    patient: head(parts, check),
    main: mainFacts(parts),
    sections: [
      ...warnings(parts, check),
      { heading: '', facts: laboratory(parts, check) },
      {
        heading: '',
        facts: [{ label: text('labs.print.summary'), value: summary.join(' · ') }],
      },
      ...(missing.length === 0 ? [] : [missingOf(missing, parts)]),
      {
        heading: text('labs.print.all', { count: all.length }),
        facts: all.length === 0 ? [{ label: '', value: text('labs.noResults') }] : [],
        ...(all.length > 0 && {
          table: {
            columns: columns.map(([column]) => text(column)),
            widths: columns.map(([, width]) => width),
            rows: sorted(all, 'urgent').map((read) => rowOf(read, nameOf(read.result), parts)),
          },
        }),
      },
    ],
  };
}

/** Widths in percent. */
const columns: readonly (readonly [MessageKey, number])[] = [
  ['labs.name', 21],
  ['labs.result', 16],
  ['labs.flag', 18],
  ['labs.range', 15],
  ['labs.measured', 14],
  ['labs.notes', 16],
];

function warnings(parts: LabDocumentParts, check: IdentityCheck): Section[] {
  const { result, orderId, reason, text } = parts;
  const notices = reportNoticesOf(result, orderId).map((notice) => noticeText(notice, parts));
  const identity = [
    { label: text('identity.title'), value: identityText(check, parts) },
    { label: text('identity.reason'), value: reason ?? '' },
  ];
  const facts = [
    ...(needsLook(check) ? identity : []),
    ...notices.map(({ short, sentence }) => ({ label: short, value: sentence })),
  ];
  return facts.length === 0 ? [] : [{ heading: text('labs.print.first'), facts, warning: true }];
}

/** The report's own patient, completed from the open person unless they may be somebody else. */
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

function mainFacts({ result, text, day }: LabDocumentParts): Fact[] {
  const data = result.metadata;
  return [
    factOf(text, 'labs.laboratory', data.laboratory),
    factOf(text, 'labs.provider', data.provider),
    factOf(text, 'labs.collected', data.date_collected && day(data.date_collected)),
    factOf(text, 'labs.reported', data.date_reported && day(data.date_reported)),
  ];
}

function laboratory(parts: LabDocumentParts, check: IdentityCheck): Fact[] {
  const { result, orderId, masked, text, day } = parts;
  const data = result.metadata;
  const age = data.age?.toString();
  const status =
    openText(text, data.status, Object.values(METADATA_STATUSES), 'labs.status') ??
    text('value.none');
  const besides = besideStatus(reportNoticesOf(result, orderId), data.status);
  const notices = besides.map((notice) => noticeText(notice, parts));
  return [
    { label: text('labs.print.identity'), value: identityText(check, parts) },
    factOf(text, 'labs.age', age && masked ? hidden : age),
    { label: text('labs.orderId'), value: orderId, code: true },
    factOf(text, 'labs.clia', data.clia_number),
    factOf(text, 'labs.specimen', data.specimen_number),
    factOf(text, 'labs.received', data.date_received && day(data.date_received)),
    factOf(text, 'labs.status', [status, ...notices.map(({ short }) => short)].join(' · ')),
    factOf(
      text,
      'labs.interpretation',
      openText(text, data.interpretation, Object.values(INTERPRETATIONS), 'labs.read'),
    ),
  ];
}

/** Without the person's own birth date: the paper may go to somebody else. */
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

function missingOf(
  missing: readonly MissingBiomarkerResult[],
  { text }: LabDocumentParts,
): Section {
  return {
    heading: text('labs.missing'),
    facts: [],
    table: {
      columns: [text('labs.name'), text('labs.reason'), text('labs.notes')],
      widths: [35, 35, 30],
      rows: missing.map(({ name, inferred_failure_type: why, note }) => ({
        cells: [name, openText(text, why, INFERRED_FAILURE_TYPES, 'failure') ?? '', note ?? ''],
        strong: true,
      })),
    },
  };
}

function rowOf(
  { result, reading }: ReadResult,
  name: string,
  { text, moment, wasOf }: LabDocumentParts,
): Row {
  const { flag, direction, conflicts, unrecognised, reportedNormal } = reading;
  const word = (name: FlagName): string =>
    text('labs.print.flag', { word: text(`flag.${name}`), letter: text(`flag.letter.${name}`) });
  const flags = [
    word(flag),
    ...(direction !== undefined && direction !== flag ? [word(direction)] : []),
    ...(conflicts.length > 0 && flag !== 'conflict' ? [text('flag.conflict')] : []),
    ...unrecognised.map((value) => text('value.quoted', { value })),
    ...(reportedNormal ? [text('flag.reportedNormal')] : []),
  ];
  const was = wasOf(result);
  const notes = [...conflicts.map((one) => text(`conflict.${one}`)), result.notes ?? ''];
  return {
    cells: [
      [
        name,
        ...(isPreliminary(result) ? [text('labs.preliminary')] : []),
        ...(result.loinc ? [`${text('labs.loinc')} ${result.loinc}`] : []),
      ].join('\n'),
      [
        result.unit ? `${result.result} ${result.unit}` : result.result,
        ...(was === undefined
          ? []
          : [`${text('changes.corrected')} ${wasText(was, result, text)}`]),
      ].join('\n'),
      flags.join('\n'),
      rangeText(reading.range, text),
      result.timestamp ? moment(result.timestamp) : '',
      notes.filter((note) => note !== '').join('\n'),
    ],
    ...(isFlagged(reading) && { strong: true }),
  };
}

function factOf(text: Text, label: MessageKey, value: string | null | undefined): Fact {
  return { label: text(label), value: value ? value : text('value.none') };
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
