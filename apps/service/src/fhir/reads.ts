import { parseCoverageId, parseObservationId, type SearchedType } from '@caregate/fhir';
import type { FhirResource } from 'fhir/r4.js';
import { Answer } from '../common/answer.ts';
import { FHIR_MEDIA_TYPE, requireFound } from '../problem/problem-error.ts';
import type { OrderRecord } from '@caregate/data-store';
import { readCoverages } from './coverages.ts';
import type { FhirCall } from './fhir-call.ts';
import { toObservation } from './observations.ts';
import { toObservations, toReport, toServiceRequest } from './orders.ts';
import { toFoundPatient } from './patients.ts';
import { parseUserId } from './search-query.ts';

interface ReadResult {
  readonly resource: FhirResource;
  readonly userId: string;
}

/** Read one resource by its ID. They check permissions before they read. */
const READS: Readonly<
  Record<SearchedType, (call: FhirCall, id: string) => Promise<ReadResult | undefined>>
> = {
  Patient: async (call, id) => {
    call.demand('resolveUser', 'userInfo');
    const [person] = (await call.findPeople([parseUserId(id) ?? ''])).values();
    return person && { resource: toFoundPatient(call, person).resource, userId: person.userId };
  },
  Coverage: async (call, id) => {
    call.demand('latestInsurance');
    const { userId = '' } = parseCoverageId(id) ?? {};
    return findResource(id, userId, await readCoverages(call, userId));
  },
  ServiceRequest: async (call, id) => {
    const order = await findOrder(call, id, false);
    return order && { resource: toServiceRequest(order), userId: order.userId };
  },
  DiagnosticReport: async (call, id) => {
    const order = await findOrder(call, id, true);
    return order && { resource: toReport(order), userId: order.userId };
  },
  Observation: async (call, id) => {
    const parsed = parseObservationId(id);
    if (parsed === undefined) {
      return undefined;
    }
    if ('orderId' in parsed) {
      const order = await findOrder(call, parsed.orderId, true);
      return order && findResource(id, order.userId, toObservations(order));
    }
    call.demand('mindfulnessMinutes');
    const { userId, startUs } = parsed;
    // Points with the same start differ in provider, type or end.
    const points = await call.records.listPoints({
      userId,
      fromUs: startUs,
      untilUs: startUs,
      limit: 1000,
    });
    const resources = points.map((point) => toObservation(userId, point));
    return findResource(id, userId, resources);
  },
};

async function findOrder(
  call: FhirCall,
  orderId: string,
  withResult: boolean,
): Promise<OrderRecord | undefined> {
  call.demand('labOrderResult');
  const [order] = await call.records.listOrders({ of: { orderId }, withResult, limit: 1 });
  return order;
}

function findResource(
  id: string,
  userId: string,
  resources: readonly FhirResource[],
): ReadResult | undefined {
  const resource = resources.find((one) => one.id === id);
  return resource && { resource, userId };
}

/** Reads one resource by its ID. @throws ProblemError 403 without permission; 404 if there is no such resource */
export async function readResource(
  type: SearchedType,
  call: FhirCall,
  id: string,
): Promise<Answer> {
  const { resource, userId } = requireFound(await READS[type](call, id));
  const body = JSON.stringify(resource);
  return new Answer(body, { patients: [userId], recordCount: 1 }, FHIR_MEDIA_TYPE);
}
