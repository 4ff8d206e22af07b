import type { Disclosure, DisclosureDesk } from '@caregate/domain';
import type { AccessNames } from '../../auth/repositories/name.repository.ts';
import { isOperation, OPERATIONS, findSubject } from '../../operations/operations.ts';
import { formatRecordTime, type AuditRecord } from '../audit-record.ts';
import { describeActor, describeDevice, type NamedEvent } from './event-pages.ts';

export const DESK_EVENT = 'recordDeskEvent';

/**
 * Whether a record is about a response, and not about an action that names a patient, such as an emergency access
 * grant.
 */
export function isResponseRecord({ http_status: status }: AuditRecord): boolean {
  return status !== null;
}

export function describeDisclosure(
  { recordId, record }: Pick<NamedEvent, 'recordId' | 'record'>,
  names: AccessNames,
): Disclosure {
  const { details, break_glass_id: grantId } = record;
  const document = record.operation === DESK_EVENT ? String(details['document']) : null;
  return {
    record_id: recordId,
    occurred_at: formatRecordTime(record),
    actor: describeActor(record, names),
    session_id: record.session_id,
    desk: describeDesk(record, names),
    operation: record.operation,
    how: describeAccess(record),
    data_category: record.data_category,
    document,
    masked: record.reason_code === 'masked',
    why: names.reasons.get(grantId ?? '') ?? record.purpose_of_use,
    break_glass_id: grantId,
    outcome: record.decision,
  };
}

function describeDesk(record: AuditRecord, names: AccessNames): DisclosureDesk | null {
  const device = describeDevice(record, names);
  return device === null ? null : { desk_id: device.id, name: device.name ?? null };
}

function describeAccess({ operation, details }: AuditRecord): string {
  if (operation === DESK_EVENT) {
    return String(details['kind']);
  }
  return isOperation(operation) && isPatientList(operation) ? 'listed' : 'read';
}

function isPatientList(operation: keyof typeof OPERATIONS): boolean {
  const { fhir } = OPERATIONS[operation];
  return (
    operation === 'listBreakGlass' ||
    (fhir.form === 'search' && findSubject(operation) === undefined)
  );
}
