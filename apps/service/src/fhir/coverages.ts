import type { Insurance } from '@caregate/domain';
import { coverage } from '@caregate/fhir';
import type { Coverage } from 'fhir/r4.js';
import { few, type Search } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { userIdOf } from './search-query.ts';

export const coverages: Search = async function* (call, { patient }, from) {
  call.demand('latestInsurance');
  const found = await coveragesOf(call, patient);
  yield few(
    found.map((resource) => ({ resource })),
    from,
  );
};

export async function coveragesOf(call: FhirCall, patientId = ''): Promise<Coverage[]> {
  const userId = userIdOf(patientId);
  if (userId === undefined) {
    return [];
  }
  const found = await call.source.insuranceRecords(call.teamId, userId, call);
  return found.map(({ isPrimary, body, changedUs }) =>
    coverage({ userId, isPrimary, insurance: JSON.parse(body) as Insurance }, changedUs),
  );
}
