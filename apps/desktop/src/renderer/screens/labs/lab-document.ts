import { INFERRED_FAILURE_TYPES, INTERPRETATIONS, METADATA_STATUSES } from '@caregate/domain';
import type { Insurance, LabOrderResult, MissingBiomarkerResult, User } from '@caregate/domain';
import type { PrintDocument } from '../../../bridge/print.ts';
import type { ReferenceRange } from './ranges/reference-range.ts';
import type { MessageKey } from '../../text/text.tsx';
import { patientHead } from '../../print/print-document.ts';
import type { Frame, Patient } from '../../print/print-document.ts';
import { hidden } from '../../state/mask.tsx';
import { checkIdentity, dayMonthYear, needsLook } from './identity/identity-check.ts';
import type { IdentityCheck } from './identity/identity-check.ts';
import { besideStatus, reportNoticesOf } from './report-status/report-status.ts';
import { ALWAYS_SHOWN, GROUPS, readResults, sorted, summaryOf } from './results/result-order.ts';
import type { ReadResult } from './results/result-order.ts';
import type { FlagName } from './results/result-reading.ts';
import { noticeText } from './report-status/report-status-text.ts';

type Fact = PrintDocument['main'][number];
type Section = PrintDocument['sections'][number];
type Row = NonNullable<Section['table']>['rows'][number];

interface Words {
  readonly text: (key: MessageKey, values?: Record<string, string | number>) => string;
  /** A calendar day (YYYY-MM-DD) and a moment (ISO 8601) as people write them; as they came where they are none. */
  readonly day: (date: string) => string;
  readonly moment: (at: string) => string;
}

interface LabDocumentParts extends Words {
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly person: User | undefined;
  /** The same person, for what the report doesn't say. */
  readonly patient: Patient | undefined;
  readonly insurance: Insurance | undefined;
  /** Why the result is the person's, though their birth dates say otherwise. */
  readonly reason: string | undefined;
  readonly masked: boolean;
  readonly frame: Frame;
}

/**
 * An order's result as a document to print: all results, whatever the screen is filtered by, the missing ones first.
 * Throws where it may be about somebody else and no reason is given.
 */
export function labDocument(parts: LabDocumentParts): PrintDocument {
  const { result, frame, text } = parts;
  const check = checkIdentity(parts);
  if (needsLook(check) && parts.reason === undefined) throw new Error('Identity not confirmed.');
  const all = readResults(result.results);
  const missing = result.missing_results ?? [];
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
            rows: sorted(all, 'urgent').map((read) => rowOf(read, parts)),
          },
        }),
      },
    ],
  };
}

/** With their widths in percent. */
const columns: readonly (readonly [MessageKey, number])[] = [
  ['labs.name', 21],
  ['labs.result', 16],
  ['labs.flag', 18],
  ['labs.range', 15],
  ['labs.measured', 14],
  ['labs.notes', 16],
];

/** What must be read before the results. */
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

/** The report's own patient; of the person who is open the rest, unless they may be somebody else. */
function head(parts: LabDocumentParts, check: IdentityCheck): PrintDocument['patient'] {
  const { result, masked, text, day } = parts;
  const { patient: name, dob } = result.metadata;
  const born = dob ? dayMonthYear(dob) : undefined;
  // Another's results never stand under this person's id.
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
  const {
    laboratory,
    provider,
    date_collected: collected,
    date_reported: reported,
  } = result.metadata;
  return [
    given(text, 'labs.laboratory', laboratory),
    given(text, 'labs.provider', provider),
    given(text, 'labs.collected', collected && day(collected)),
    given(text, 'labs.reported', reported && day(reported)),
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
    {
      label: text('labs.print.identity'),
      value: identityText(check, parts),
    },
    given(text, 'labs.age', age && masked ? hidden : age),
    { label: text('labs.orderId'), value: orderId, code: true },
    given(text, 'labs.clia', data.clia_number),
    given(text, 'labs.specimen', data.specimen_number),
    given(text, 'labs.received', data.date_received && day(data.date_received)),
    given(text, 'labs.status', [status, ...notices.map(({ short }) => short)].join(' · ')),
    given(
      text,
      'labs.interpretation',
      openText(text, data.interpretation, Object.values(INTERPRETATIONS), 'labs.read'),
    ),
  ];
}

/** The person's own birth date isn't said: the paper may be somebody else's. */
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

function missingOf(missing: readonly MissingBiomarkerResult[], { text }: Words): Section {
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

function rowOf({ result, reading }: ReadResult, { text, moment }: Words): Row {
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
  const notes = [...conflicts.map((one) => text(`conflict.${one}`)), result.notes ?? ''];
  return {
    cells: [
      result.loinc ? `${result.name}\n${text('labs.loinc')} ${result.loinc}` : result.name,
      result.unit ? `${result.result} ${result.unit}` : result.result,
      flags.join('\n'),
      rangeText(reading.range, text),
      result.timestamp ? moment(result.timestamp) : '',
      notes.filter((note) => note !== '').join('\n'),
    ],
    ...(!['normal', 'notAssessed', 'noRange'].includes(flag) && { strong: true }),
  };
}

/** A range in words. Numbers stay as the laboratory wrote them, in every language. */
function rangeText(range: ReferenceRange, text: Words['text']): string {
  switch (range.kind) {
    case 'none':
      return text('range.none');
    case 'from':
      return text('range.from', { min: String(range.min) });
    case 'upTo':
      return text('range.upTo', { max: String(range.max) });
    case 'between':
    case 'broken':
      return text(`range.${range.kind}`, { min: String(range.min), max: String(range.max) });
  }
}

function given(text: Words['text'], label: MessageKey, value: string | null | undefined): Fact {
  return { label: text(label), value: value ? value : text('value.none') };
}

/** A value of an open list: one that isn't known is printed as it came, and marked. */
function openText(
  text: Words['text'],
  value: string | null | undefined,
  known: readonly string[],
  words: string,
): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (known.includes(value)) return text(`${words}.${value}` as MessageKey);
  return `${text('value.quoted', { value })} ${text('value.unrecognised')}`;
}
