import type { LabOrderResult, Order } from '@caregate/domain';
import { buildDiagnosticReport, buildLabObservations, buildServiceRequest } from '@caregate/fhir';
import type { DiagnosticReport, Observation, ServiceRequest } from 'fhir/r4.js';
import type { OrderRecord, OrderRecordKey } from '@caregate/data-store';
import { BATCH_SIZE, type Place, type Search } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { parseUserId } from './search-query.ts';

/** Number of reports that are read at a time, since a report may be long. */
const REPORT_BATCH_SIZE = 3;

export const createOrderSearch = (withResult: boolean): Search =>
  async function* (call, { patient }, { order }) {
    call.demand('labOrderResult');
    for await (const record of iterateOrders(call, patient, order, withResult)) {
      const resource = withResult ? toReport(record) : toServiceRequest(record);
      yield [{ resource, place: { order: [record.createdUs, record.orderId] } }];
    }
  };

/** Yields orders one after the other, since a page may need only the first of them. */
export async function* iterateOrders(
  call: FhirCall,
  patientId = '',
  from: Place['order'],
  withResult: boolean,
): AsyncGenerator<OrderRecord> {
  const userId = parseUserId(patientId);
  if (userId === undefined) {
    return;
  }
  const limit = withResult ? REPORT_BATCH_SIZE : BATCH_SIZE;
  let after: OrderRecordKey | undefined = from && { createdUs: from[0], orderId: from[1] };
  for (;;) {
    const records = await call.records.listOrders({ of: { userId }, withResult, after, limit });
    yield* records;
    if (records.length < limit) {
      return;
    }
    after = records.at(-1);
  }
}

export function toServiceRequest({ order, changedUs }: OrderRecord): ServiceRequest {
  return buildServiceRequest(JSON.parse(order) as Order, changedUs);
}

export function toReport(record: OrderRecord): DiagnosticReport {
  const { lab_test: labTest } = JSON.parse(record.order) as Order;
  const report = { ...parseResult(record), labTest: labTest?.name };
  return buildDiagnosticReport(report, Math.max(record.changedUs, record.result?.changedUs ?? 0));
}

export function toObservations(record: OrderRecord): Observation[] {
  return buildLabObservations(parseResult(record), record.result?.changedUs ?? 0);
}

function parseResult({ userId, orderId, result }: OrderRecord) {
  return { userId, orderId, result: JSON.parse(result?.body ?? '{}') as LabOrderResult };
}
