import { parseCoverageId, parseObservationId } from '@caregate/fhir';
import type { FastifyRequest } from 'fastify';
import { getRawQuery } from '../http/raw-request.ts';
import { type FhirName, getFhirRow } from '../operations/operations.ts';
import { PATIENT_PARAMETERS, parseUserId } from './search-query.ts';

/** Returns the single patient or order that a request names, by a parameter or by the ID of a resource. */
export function findRequestedPatient(
  name: FhirName,
  request: FastifyRequest,
): { readonly userId?: string | undefined; readonly orderId?: string } | undefined {
  if (getFhirRow(name).fhir.form === 'search') {
    return { userId: findSearchedPatient(name, request) };
  }
  const { coverage_id: coverageId = '', observation_id: observationId = '' } =
    request.params as Readonly<Record<string, string>>;
  return parseCoverageId(coverageId) ?? parseObservationId(observationId);
}

/** Returns undefined if the search may return other patients, too. */
function findSearchedPatient(name: FhirName, { raw, body }: FastifyRequest): string | undefined {
  const form = typeof body === 'string' ? body : '';
  const query = new URLSearchParams(`${getRawQuery(raw.url ?? '')}&${form}`);
  const values =
    name === 'searchPatients'
      ? query.getAll('_id')
      : PATIENT_PARAMETERS.flatMap((one) => query.getAll(one)).map((id) =>
          id.replace(/^Patient\//u, ''),
        );
  const [userId, ...others] = new Set(values.map(parseUserId));
  return others.length === 0 ? userId : undefined;
}
