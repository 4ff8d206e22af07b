import { parseCoverageId, parseObservationId } from '@caregate/fhir';
import type { FastifyRequest } from 'fastify';
import { rawQuery } from '../http/raw-request.ts';
import { type FhirName, fhirRow } from '../operations/operations.ts';
import { OF_PATIENT, userIdOf } from './search-query.ts';

/** The one patient, or the order, that a request asks for by a parameter or the id of a resource. */
export function askedPatient(
  name: FhirName,
  request: FastifyRequest,
): { readonly userId?: string | undefined; readonly orderId?: string } | undefined {
  if (fhirRow(name).fhir.form === 'search') {
    return { userId: searchedPatient(name, request) };
  }
  const { coverage_id: coverageId = '', observation_id: observationId = '' } =
    request.params as Readonly<Record<string, string>>;
  return parseCoverageId(coverageId) ?? parseObservationId(observationId);
}

/** Undefined where the search may show somebody else, too. */
function searchedPatient(name: FhirName, { raw, body }: FastifyRequest): string | undefined {
  const form = typeof body === 'string' ? body : '';
  const query = new URLSearchParams(`${rawQuery(raw.url ?? '')}&${form}`);
  const values =
    name === 'searchPatients'
      ? query.getAll('_id')
      : OF_PATIENT.flatMap((one) => query.getAll(one)).map((id) => id.replace(/^Patient\//u, ''));
  const [userId, ...others] = new Set(values.map(userIdOf));
  return others.length === 0 ? userId : undefined;
}
