import type { Insurance } from '@caregate/domain';
import { coverage } from '@caregate/fhir';
import { few, type Batches, type Place } from './batches.ts';
import type { FhirCall } from './fhir-call.ts';
import { userIdOf, type SearchQuery } from './search-query.ts';

export async function* coverages(
  call: FhirCall,
  query: SearchQuery,
  from: Place | undefined,
): Batches {
  call.demand('latestInsurance');
  const found = await coveragesOf(call, query.patient);
  yield few(
    found.map((resource) => ({ resource })),
    from,
  );
}

export async function coveragesOf(
  call: FhirCall,
  patientId: string | undefined,
): Promise<ReturnType<typeof coverage>[]> {
  const userId = userIdOf(patientId ?? '');
  const found =
    userId === undefined ? [] : await call.source.insuranceRecords(call.teamId, userId, call);
  return found.map(({ isPrimary, body, changedUs }) =>
    coverage(
      { userId: userId ?? '', isPrimary, insurance: JSON.parse(body) as Insurance },
      changedUs,
    ),
  );
}
