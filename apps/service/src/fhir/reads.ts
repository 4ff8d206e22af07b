import { parseCoverageId, parseObservationId, type SearchedType } from '@caregate/fhir';
import type { FhirResource } from 'fhir/r4.js';
import { Answer } from '../common/answer.ts';
import { FHIR_MEDIA_TYPE, orNotFound } from '../problem/problem-error.ts';
import type { OrderRecord } from '@caregate/data-store';
import { coveragesOf } from './coverages.ts';
import type { FhirCall } from './fhir-call.ts';
import { minutesOf } from './observations.ts';
import { observationsOf, reportOf, requestOf } from './orders.ts';
import { foundPatient } from './patients.ts';
import { userIdOf } from './search-query.ts';

interface One {
  readonly resource: FhirResource;
  readonly userId: string;
}

/** Of one resource, by its id. Check permissions before they read. */
const READS: Readonly<
  Record<SearchedType, (call: FhirCall, id: string) => Promise<One | undefined>>
> = {
  Patient: async (call, id) => {
    call.demand('resolveUser', 'userInfo');
    const [person] = (await call.people([userIdOf(id) ?? ''])).values();
    return person && { resource: foundPatient(call, person).resource, userId: person.userId };
  },
  Coverage: async (call, id) => {
    call.demand('latestInsurance');
    const { userId = '' } = parseCoverageId(id) ?? {};
    return withId(id, userId, await coveragesOf(call, userId));
  },
  ServiceRequest: async (call, id) => {
    const order = await orderOf(call, id, false);
    return order && { resource: requestOf(order), userId: order.userId };
  },
  DiagnosticReport: async (call, id) => {
    const order = await orderOf(call, id, true);
    return order && { resource: reportOf(order), userId: order.userId };
  },
  Observation: async (call, id) => {
    const of = parseObservationId(id);
    if (of === undefined) {
      return undefined;
    }
    if ('orderId' in of) {
      const order = await orderOf(call, of.orderId, true);
      return order && withId(id, order.userId, observationsOf(order));
    }
    call.demand('mindfulnessMinutes');
    const { userId, startUs } = of;
    // Points of one start differ in provider, type and end.
    const points = await call.points({ userId, fromUs: startUs, untilUs: startUs, limit: 1000 });
    const resources = points.map((point) => minutesOf(userId, point));
    return withId(id, userId, resources);
  },
};

async function orderOf(
  call: FhirCall,
  orderId: string,
  withResult: boolean,
): Promise<OrderRecord | undefined> {
  call.demand('labOrderResult');
  const [order] = await call.orders({ of: { orderId }, withResult, limit: 1 });
  return order;
}

function withId(id: string, userId: string, resources: readonly FhirResource[]): One | undefined {
  const resource = resources.find((one) => one.id === id);
  return resource && { resource, userId };
}

/** One resource by its id. @throws ProblemError 403, 404 */
export async function readResource(
  type: SearchedType,
  call: FhirCall,
  id: string,
): Promise<Answer> {
  const { resource, userId } = orNotFound(await READS[type](call, id));
  const body = JSON.stringify(resource);
  return new Answer(body, { patients: [userId], recordCount: 1 }, FHIR_MEDIA_TYPE);
}
