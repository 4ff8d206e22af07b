import { instantOfRecord } from '../system-record.ts';
import type {
  DeskDocument,
  DeskEventKind,
  Disclosure,
  DisclosureDesk,
  DisclosureLanguage,
} from '@caregate/domain';
import type { AccessNames } from '../../access/access-names.ts';
import type { DataCategory } from '../../operations/operation-row.ts';
import { isOperation, OPERATIONS, subjectOf } from '../../operations/operations.ts';
import { describeActor, describeDevice, type NamedEvent } from '../http/event-pages.ts';
import words from './disclosure-words.json' with { type: 'json' };
import type { RecordBody } from '../record/record-body.ts';

type Words<Value extends string> = Readonly<Record<Value, string>>;
interface DisclosureWords {
  readonly categories: Words<DataCategory>;
  readonly documents: Words<DeskDocument>;
  readonly ways: Words<'read' | 'listed' | DeskEventKind>;
  readonly masked: string;
  readonly pages: string;
  readonly copies: string;
}
const WORDS: Readonly<Record<DisclosureLanguage, DisclosureWords>> = words;

export const DESK_EVENT = 'recordDeskEvent';

/** Whether a record is of an answer, and not of an act that names a patient, such as a grant. */
export function isAnswer({ http_status: status }: RecordBody): boolean {
  return status !== null;
}

export function describeDisclosure(
  { recordId, record }: Pick<NamedEvent, 'recordId' | 'record'>,
  names: AccessNames,
  language: DisclosureLanguage,
): Disclosure {
  const { details, break_glass_id: grantId } = record;
  const how = wayOf(record);
  const document = record.operation === DESK_EVENT ? String(details['document']) : null;
  return {
    record_id: recordId,
    occurred_at: instantOfRecord(record),
    actor: describeActor(record, names),
    session_id: record.session_id,
    desk: deskOf(record, names),
    operation: record.operation,
    what: whatOf(record, how, WORDS[language]),
    how,
    data_category: record.data_category,
    document,
    masked: record.reason_code === 'masked',
    why: names.reasons.get(grantId ?? '') ?? record.purpose_of_use,
    break_glass_id: grantId,
    outcome: record.decision,
  };
}

function deskOf(record: RecordBody, names: AccessNames): DisclosureDesk | null {
  const device = describeDevice(record, names);
  return device === null ? null : { desk_id: device.id, name: device.name ?? null };
}

function wayOf({ operation, details }: RecordBody): string {
  if (operation === DESK_EVENT) {
    return String(details['kind']);
  }
  return isOperation(operation) && listsPatients(operation) ? 'listed' : 'read';
}

function listsPatients(operation: keyof typeof OPERATIONS): boolean {
  const { fhir } = OPERATIONS[operation];
  return (
    operation === 'listBreakGlass' || (fhir.form === 'search' && subjectOf(operation) === undefined)
  );
}

function whatOf(record: RecordBody, how: string, words: DisclosureWords): string {
  const { operation, details, data_category: category } = record;
  const thing =
    operation === DESK_EVENT
      ? wordOf(words.documents, String(details['document']))
      : wordOf(words.categories, category ?? operation);
  const more = [
    ...(['pages', 'copies'] as const)
      .filter((name) => operation === DESK_EVENT && details[name] !== undefined)
      .map((name) => `${words[name]}: ${String(details[name])}`),
    ...(record.reason_code === 'masked' ? [words.masked] : []),
  ];
  const said = `${thing}: ${wordOf(words.ways, how)}`;
  return more.length === 0 ? said : `${said} (${more.join(', ')})`;
}

/** Newer versions may have more values. */
function wordOf(words: Words<string>, value: string): string {
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}
