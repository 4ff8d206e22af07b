import type { Order } from '@caregate/domain';
import type { ServiceRequest } from 'fhir/r4.js';
import {
  buildCodedConcept,
  buildRequiredConcept,
  toFhirInstant,
  buildLogicalReference,
  buildMeta,
  buildPatientReference,
  cleanText,
  buildUuidIdentifier,
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
export function buildServiceRequest(order: Order, changedUs: number): ServiceRequest {
  const { id, user_id, lab_test, physician, order_transaction, created_at, status } = order;
  const names = [cleanText(physician?.first_name), cleanText(physician?.last_name)];
  return {
    resourceType: 'ServiceRequest',
    id: id.toLowerCase(),
    meta: buildMeta('us-core-servicerequest', changedUs),
    requisition:
      order_transaction === null || order_transaction === undefined
        ? undefined
        : buildUuidIdentifier(order_transaction.id),
    status: STATUSES.get(status) ?? 'unknown',
    intent: 'order',
    // SNOMED CT: Laboratory procedure.
    category: [buildCodedConcept('http://snomed.info/sct', '108252007')],
    code: buildRequiredConcept(undefined, cleanText(lab_test?.name) ?? lab_test?.slug),
    subject: buildPatientReference(user_id),
    authoredOn: toFhirInstant(created_at),
    requester: buildLogicalReference(
      'Practitioner',
      physician?.npi,
      names.filter((name) => name !== undefined).join(' '),
      'http://hl7.org/fhir/sid/us-npi',
    ),
  };
}
