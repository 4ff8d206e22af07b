import { instantOfRecord } from '../system-record.ts';
import type { Disclosure, DisclosureDesk } from '@caregate/domain';
import { type RecordBody } from '@caregate/audit-log';
import type { AccessNames } from '../../access/access-names.ts';
import { isOperation, OPERATIONS, subjectOf } from '../../operations/operations.ts';
import { actorOf, deviceOf, type ReadEvent } from '../http/event-pages.ts';
import { wordOf, type DisclosureWords } from './disclosure-words.ts';

export const DESK_EVENT = 'recordDeskEvent';

/** Whether a record is of an answer, and not of an act that names a patient, such as a grant. */
export function isAnswer({ http_status: status }: RecordBody): boolean {
  return status !== null;
}

export function disclosureOf(
  { recordId, record }: Pick<ReadEvent, 'recordId' | 'record'>,
  names: AccessNames,
  words: DisclosureWords,
): Disclosure {
  const { details, break_glass_id: grantId } = record;
  const how = wayOf(record);
  const document = record.operation === DESK_EVENT ? String(details['document']) : null;
  return {
    record_id: recordId,
    occurred_at: instantOfRecord(record),
    actor: actorOf(record, names),
    session_id: record.session_id,
    desk: deskOf(record, names),
    operation: record.operation,
    what: whatOf(record, how, words),
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
  const device = deviceOf(record, names);
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

/** Such as "Lab report: printed (pages: 2, copies: 1)". */
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
