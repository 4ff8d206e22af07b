import type { Insurance } from '@caregate/domain';
import { coverage, type SearchedType } from '@caregate/fhir';
import type { FhirResource } from 'fhir/r4.js';
import type { OrderRecord, PointKey } from '../../source/health-data-source.ts';
import type { FhirCall } from '../fhir-call.ts';
import { minutesOf } from '../observations.ts';
import { eachOrder, observationsOf, reportOf, requestOf } from '../orders.ts';
import { patientOf } from '../patients.ts';
import { RECORDS } from '../batches.ts';

/** Of one patient; without resources, work that found nothing. */
export interface Found {
  readonly userId: string;
  readonly resources: readonly FhirResource[];
}

type Lines = AsyncGenerator<Found, void, undefined>;
type LinesOf = (call: FhirCall, userIds: readonly string[], sinceUs: number) => Lines;

/** All that changed later, patient by patient. Others have their turn in between. */
export const LINES: Readonly<Record<SearchedType, LinesOf>> = {
  Patient: patients,
  Coverage: coverages,
  ServiceRequest: orderLines(false, (order, sinceUs) =>
    order.changedUs > sinceUs ? [requestOf(order)] : [],
  ),
  DiagnosticReport: orderLines(true, (order, sinceUs) =>
    Math.max(order.changedUs, order.result?.changedUs ?? 0) > sinceUs ? [reportOf(order)] : [],
  ),
  Observation: observations,
};

async function* patients(call: FhirCall, userIds: readonly string[], sinceUs: number): Lines {
  for (const person of await call.read('personRecords', userIds)) {
    const { userId, changedUs } = person;
    yield { userId, resources: changedUs > sinceUs ? [patientOf(call, person)] : [] };
  }
}

async function* coverages(call: FhirCall, userIds: readonly string[], sinceUs: number): Lines {
  for (const userId of userIds) {
    const found = await call.read('insuranceRecords', userId);
    const resources = found
      .filter(({ changedUs }) => changedUs > sinceUs)
      .map(({ isPrimary, body, changedUs }) =>
        coverage({ userId, isPrimary, insurance: JSON.parse(body) as Insurance }, changedUs),
      );
    yield { userId, resources };
  }
}

function orderLines(
  withResult: boolean,
  resourcesOf: (order: OrderRecord, sinceUs: number) => readonly FhirResource[],
): LinesOf {
  return async function* (call, userIds, sinceUs): Lines {
    for (const userId of userIds) {
      for await (const orders of eachOrder(call, userId, undefined, withResult)) {
        for (const order of orders) {
          yield { userId, resources: resourcesOf(order, sinceUs) };
        }
      }
    }
  };
}

const laboratory = orderLines(true, (order, sinceUs) =>
  (order.result?.changedUs ?? 0) > sinceUs ? observationsOf(order) : [],
);

async function* observations(call: FhirCall, userIds: readonly string[], sinceUs: number): Lines {
  for (const userId of userIds) {
    yield* laboratory(call, [userId], sinceUs);
    yield* minutes(call, userId, sinceUs);
  }
}

async function* minutes(call: FhirCall, userId: string, sinceUs: number): Lines {
  let after: PointKey | undefined;
  do {
    const points = await call.read('pointRecords', {
      ...{ userId, fromUs: -Number.MAX_SAFE_INTEGER, limit: RECORDS, after },
    });
    const resources = points
      .filter(({ changedUs }) => changedUs > sinceUs)
      .map((point) => minutesOf(userId, point));
    yield { userId, resources };
    after = points.length < RECORDS ? undefined : points.at(-1);
  } while (after !== undefined);
}
