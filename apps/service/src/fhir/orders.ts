import type { LabOrderResult, Order } from '@caregate/domain';
import { diagnosticReport, labObservations, serviceRequest } from '@caregate/fhir';
import type { Observation } from 'fhir/r4.js';
import type { OrderRecord, OrderRecordKey } from '@caregate/data-store';
import { RECORDS, type Batches, type Place } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { userIdOf, type SearchQuery } from './search-query.ts';

/** At once: a report may be long. */
const REPORTS = 3;

export async function* ordersOf(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
  withResult: boolean,
): Batches {
  call.demand('labOrderResult');
  const after = from !== undefined && 'order' in from ? keyOf(from.order) : undefined;
  for await (const records of eachOrder(call, query.patient, after, withResult)) {
    for (const record of records) {
      const resource = withResult ? reportOf(record) : requestOf(record);
      yield [{ resource, place: { order: [record.createdUs, record.orderId] } }];
    }
  }
}

export async function* eachOrder(
  call: FhirCall,
  patientId: string | undefined,
  first: OrderRecordKey | undefined,
  withResult: boolean,
): AsyncGenerator<readonly OrderRecord[]> {
  const userId = userIdOf(patientId ?? '');
  if (userId === undefined) {
    return;
  }
  const limit = withResult ? REPORTS : RECORDS;
  for (let after = first; ;) {
    const records = await call.source.orderRecords(
      call.teamId,
      { of: { userId }, withResult, after, limit },
      call,
    );
    yield records;
    if (records.length < limit) {
      return;
    }
    after = records.at(-1);
  }
}

export function requestOf({ order, changedUs }: OrderRecord): ReturnType<typeof serviceRequest> {
  return serviceRequest(JSON.parse(order) as Order, changedUs);
}

export function reportOf(record: OrderRecord): ReturnType<typeof diagnosticReport> {
  const { order, changedUs } = record;
  const { lab_test: labTest } = JSON.parse(order) as Order;
  const report = { ...resultOf(record), labTest: labTest?.name };
  return diagnosticReport(report, Math.max(changedUs, record.result?.changedUs ?? 0));
}

export function observationsOf(record: OrderRecord): Observation[] {
  return labObservations(resultOf(record), record.result?.changedUs ?? 0);
}

function resultOf({ userId, orderId, result }: OrderRecord) {
  return { userId, orderId, result: JSON.parse(result?.body ?? '{}') as LabOrderResult };
}

export function keyOf([createdUs, orderId]: readonly [number, string, string?]): OrderRecordKey {
  return { createdUs, orderId };
}
