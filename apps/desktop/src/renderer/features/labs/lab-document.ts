import { INTERPRETATIONS, METADATA_STATUSES } from '@caregate/domain';
import type { Insurance, LabOrderResult } from '@caregate/domain';
import type { PrintDocument } from '../../../shared/print.ts';
import { hidden } from '../../app/mask.tsx';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { buildPatientHead } from '../printing/print-document.ts';
import type { Frame, Patient } from '../printing/print-document.ts';
import { describeChanges } from './history/corrections.ts';
import type { Correction } from './history/corrections.ts';
import type { FindEarlier } from './history/earlier-values.ts';
import { checkIdentity, parseDayMonthYear, needsLook } from './identity/identity-check.ts';
import type { IdentityCheck } from './identity/identity-check.ts';
import {
  formatGroups,
  buildMissingSection,
  formatOpenValue,
  buildPanelSections,
} from './lab-document-tables.ts';
import { omitShownStatus, formatNotice, findNotices } from './report-status.tsx';
import { createGetName } from './results/result-names.ts';
import { GROUPS, readResults, countByGroup } from './results/result-order.ts';
import type { ReadResult } from './results/result-order.ts';

type Fact = PrintDocument['main'][number];
type Section = PrintDocument['sections'][number];

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
  readonly masked: boolean;
  readonly frame: Frame;
}

/** The printed summary of a report. Throws if the identity check needs a reason and there is none. */
export function buildLabDocument(parts: LabDocumentParts): PrintDocument {
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
    patient: buildReportPatient(parts, check),
    main: listReportFacts(parts, check, all),
    sections: [
      ...buildWarnings(parts, check),
      ...(missing.length === 0 ? [] : [buildMissingSection(missing, parts)]),
      ...buildPanelSections(all, parts),
      ...buildNotesSection(all, parts),
    ],
  };
}

function buildNotesSection(
  all: readonly ReadResult[],
  { result, text }: LabDocumentParts,
): Section[] {
  const getName = createGetName(result.results, text);
  const facts = all.flatMap(({ result: one, reading: { conflicts } }) => {
    const notes = [...conflicts.map((conflict) => text(`conflict.${conflict}`)), one.notes ?? ''];
    const value = notes.filter((note) => note !== '').join('\n');
    return value === '' ? [] : [{ label: getName(one), value }];
  });
  return facts.length === 0 ? [] : [{ heading: text('labs.notes'), facts }];
}

function buildWarnings(parts: LabDocumentParts, check: IdentityCheck): Section[] {
  const { result, orderId, reason, text } = parts;
  const notices = findNotices(result, orderId);
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const names = createGetName(result.results, text);
  const changes = describeChanges(parts.correction, isCorrected, names, text);
  const identity = [
    { label: text('identity.title'), value: formatIdentity(check, parts) },
    { label: text('identity.reason'), value: reason ?? '' },
  ];
  const facts = [
    ...(needsLook(check) ? identity : []),
    ...notices.map((notice) => {
      const { short, sentence } = formatNotice(notice, parts);
      return { label: short, value: sentence };
    }),
    ...(changes.length > 0 ? [{ label: text('changes.title'), value: changes.join(' ') }] : []),
  ];
  return facts.length === 0 ? [] : [{ heading: text('labs.print.first'), facts, warning: true }];
}

/** The patient named by the report. What it lacks is taken from the open patient, if the identity check allows that. */
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

/** The facts that the laboratory sent about the report. */
function listReportFacts(
  parts: LabDocumentParts,
  check: IdentityCheck,
  all: readonly ReadResult[],
): Fact[] {
  const { result, orderId, masked, text, day } = parts;
  const data = result.metadata;
  const status = formatOpenValue(
    text,
    data.status,
    Object.values(METADATA_STATUSES),
    'labs.status',
  );
  const besides = omitShownStatus(findNotices(result, orderId), data.status);
  const notices = besides.map((notice) => formatNotice(notice, parts).short);
  const summary = formatGroups(countByGroup(all, result.missing_results), GROUPS, text);
  const age = data.age?.toString();
  const facts: readonly (readonly [MessageKey, string | null | undefined])[] = [
    ['labs.reported', data.date_reported && day(data.date_reported)],
    ['labs.provider', data.provider],
    ['status.label', [status, ...notices].filter(Boolean).join(' · ')],
    [
      'labs.interpretation',
      formatOpenValue(text, data.interpretation, Object.values(INTERPRETATIONS), 'labs.read'),
    ],
    ['labs.specimen', data.specimen_number],
    ['labs.received', data.date_received && day(data.date_received)],
    ['labs.measured', formatMeasured(parts)],
    ['labs.clia', data.clia_number],
    ['labs.age', age && masked ? hidden : age],
    ['labs.print.summary', summary.join(' · ')],
    ['labs.print.identity', formatIdentity(check, parts)],
  ];
  return [
    ...facts.flatMap(([label, value]) => (value ? [{ label: text(label), value }] : [])),
    { label: text('labs.orderId'), value: orderId, code: true },
  ];
}

/** When the first and the last result were measured; undefined if all were on the day of the collection. */
function formatMeasured({ result, moment }: LabDocumentParts): string | undefined {
  const times = result.results
    .flatMap(({ timestamp }) => timestamp || [])
    .toSorted((one, other) => Date.parse(one) - Date.parse(other));
  const day = result.metadata.date_collected?.slice(0, 10) ?? ' ';
  if (times.every((time) => time.startsWith(day))) return undefined;
  return [...new Set([times[0], times.at(-1)])].map((time = '') => moment(time)).join(' – ');
}

/** Leaves out the open patient's birth date, since the paper may be about somebody else. */
function formatIdentity(check: IdentityCheck, parts: LabDocumentParts): string {
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
