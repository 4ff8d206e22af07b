import type { BiomarkerResult, ImportEnvelope, Order, UserInfo } from '@caregate/domain';
import type { FhirResource } from 'fhir/r4.js';
import {
  buildCapabilityStatement,
  buildCoverage,
  buildDiagnosticReport,
  buildLabObservations,
  buildMaskedPatient,
  buildMindfulnessObservation,
  buildOperationOutcome,
  buildPatient,
  buildSearchEntry,
  buildSearchset,
  buildServiceRequest,
} from '../index.ts';

const CHANGED_US = Date.parse('2026-11-27T02:00:00Z') * 1000 + 123;

/** A resource as JSON and as a client parses it, with the record that it was converted from. */
export interface ConvertedResource {
  readonly json: string;
  readonly read: FhirResource;
  readonly order?: Order;
  readonly measured?: BiomarkerResult;
}

export function convertEnvelopes(envelopes: Iterable<ImportEnvelope>): ConvertedResource[] {
  const all = [...envelopes];
  const infos = new Map<string, UserInfo>();
  const orders = new Map<string, Order>();
  for (const envelope of all) {
    if (envelope.kind === 'user_info') infos.set(envelope.user_id, envelope.info);
    if (envelope.kind === 'order') orders.set(envelope.order.id, envelope.order);
  }
  return all.flatMap((envelope): ConvertedResource[] => {
    switch (envelope.kind) {
      case 'user': {
        const { user } = envelope;
        const person = { user, info: infos.get(user.user_id) };
        return [one(buildPatient(person, CHANGED_US)), one(buildMaskedPatient(user, CHANGED_US))];
      }
      case 'order':
        return [one(buildServiceRequest(envelope.order, CHANGED_US), { order: envelope.order })];
      case 'insurance': {
        const { user_id: userId, is_primary, insurance } = envelope;
        return [
          one(buildCoverage({ userId, isPrimary: is_primary !== false, insurance }, CHANGED_US)),
        ];
      }
      case 'lab_result': {
        const { user_id: userId, order_id: orderId, result } = envelope;
        const labTest = orders.get(orderId)?.lab_test?.name;
        const report = { userId, orderId, result, labTest };
        return [
          one(buildDiagnosticReport(report, CHANGED_US)),
          ...buildLabObservations(report, CHANGED_US).map((observation, at) => {
            const measured = result.results[at];
            return one(observation, measured === undefined ? {} : { measured });
          }),
        ];
      }
      case 'mindfulness_minutes': {
        const { user_id: userId, source, data } = envelope;
        return data.map((point) =>
          one(buildMindfulnessObservation({ userId, source, point }, CHANGED_US)),
        );
      }
      case 'user_info':
        return [];
    }
  });
}

function one(
  resource: FhirResource,
  of: Omit<ConvertedResource, 'json' | 'read'> = {},
): ConvertedResource {
  const json = JSON.stringify(resource);
  return { json, read: JSON.parse(json) as FhirResource, ...of };
}

/** Pages of a search with and without this resource, an error and the capability statement, as a client parses them. */
export function buildServiceResources({ read }: ConvertedResource): FhirResource[] {
  const base = 'https://health.example/fhir/r4';
  const self = `${base}/Patient?_count=2`;
  const entries = [JSON.stringify(buildSearchEntry(base, read))];
  const problem = {
    ...{ type: '/problems/invalid-parameters', title: 'Invalid parameters', status: 422 },
    errors: [{ parameter: '_count', reason: 'must be 0 or more' }],
  };
  return [
    buildSearchset({ entries, total: 3, self, next: self }),
    buildSearchset({ entries: [], self }),
    JSON.stringify(buildOperationOutcome(problem)),
    JSON.stringify(buildCapabilityStatement({ base, version: '0.1.0', date: '2026-11-27' })),
  ].map((json) => JSON.parse(json) as FhirResource);
}

/** `Type/id` of each resource, and of each ServiceRequest that the service derives from a result without an order. */
export function listIds(all: readonly ConvertedResource[]): Set<string> {
  return new Set(
    all.flatMap(({ read: { resourceType, id } }) =>
      resourceType === 'DiagnosticReport'
        ? [`${resourceType}/${id}`, `ServiceRequest/${id}`]
        : [`${resourceType}/${id}`],
    ),
  );
}

/** Returns the number in the resource if its digits differ from the laboratory's. */
export function digitsLost({ json, measured }: ConvertedResource): string[] {
  const value = /"valueQuantity":\{"value":([^,}]+)/u.exec(json)?.[1];
  if (measured === undefined || value === undefined) return [];
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(measured.result) && value !== measured.result
    ? [`${measured.result} became ${value}`]
    : [];
}
