import type { Insurance } from '@caregate/domain';
import { buildCoverage } from '@caregate/fhir';
import type { Coverage } from 'fhir/r4.js';
import { sortById, type Search } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { parseUserId } from './search-query.ts';

export const searchCoverages: Search = async function* (call, { patient }, from) {
  call.demand('latestInsurance');
  const found = await readCoverages(call, patient);
  yield sortById(
    found.map((resource) => ({ resource })),
    from,
  );
};

export async function readCoverages(call: FhirCall, patientId = ''): Promise<Coverage[]> {
  const userId = parseUserId(patientId);
  if (userId === undefined) {
    return [];
  }
  const found = await call.records.listInsurances(userId);
  return found.map(({ isPrimary, body, changedUs }) =>
    buildCoverage({ userId, isPrimary, insurance: JSON.parse(body) as Insurance }, changedUs),
  );
}
