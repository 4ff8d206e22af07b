import type { Order } from '@caregate/domain';
import type { ServiceRequest } from 'fhir/r4.js';
import {
  coded,
  conceptOrAbsent,
  instant,
  logicalReference,
  meta,
  patientReference,
  text,
  uuidIdentifier,
} from './elements.ts';

const STATUSES: ReadonlyMap<unknown, ServiceRequest['status']> = new Map([
  ['received', 'active'],
  ['collecting_sample', 'active'],
  ['sample_with_lab', 'active'],
  ['completed', 'completed'],
  ['cancelled', 'revoked'],
  ['failed', 'revoked'],
]);

/** @param changedUs microseconds since 1970 */
export function serviceRequest(order: Order, changedUs: number): ServiceRequest {
  const { id, user_id, lab_test, physician, order_transaction, created_at, status } = order;
  const names = [text(physician?.first_name), text(physician?.last_name)];
  return {
    resourceType: 'ServiceRequest',
    id: id.toLowerCase(),
    meta: meta('us-core-servicerequest', changedUs),
    requisition:
      order_transaction === null || order_transaction === undefined
        ? undefined
        : uuidIdentifier(order_transaction.id),
    status: STATUSES.get(status) ?? 'unknown',
    intent: 'order',
    // SNOMED CT: Laboratory procedure.
    category: [coded('http://snomed.info/sct', '108252007')],
    code: conceptOrAbsent(undefined, text(lab_test?.name) ?? lab_test?.slug),
    subject: patientReference(user_id),
    authoredOn: instant(created_at),
    requester: logicalReference(
      'Practitioner',
      physician?.npi,
      names.filter((name) => name !== undefined).join(' '),
      'http://hl7.org/fhir/sid/us-npi',
    ),
  };
}
