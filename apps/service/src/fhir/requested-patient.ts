import { parseCoverageId, parseObservationId } from '@caregate/fhir';
import type { FastifyRequest } from 'fastify';
import { getRawQuery } from '../http/raw-request.ts';
import type { FhirName } from '../operations/operations.ts';
import { PATIENT_PARAMETERS, parseUserId } from './search-query.ts';

export function readParams(request: FastifyRequest): Readonly<Partial<Record<string, string>>> {
  return (request.params ?? {}) as Partial<Record<string, string>>;
}

/** Returns the user and the order that a path names. IDs of FHIR resources begin with one of them. */
export function readSubject(request: FastifyRequest): {
  readonly userId?: string | undefined;
  readonly orderId?: string | undefined;
} {
  const params = readParams(request);
  const { coverage_id: coverageId, observation_id: observationId } = params;
  if (coverageId !== undefined) {
    return parseCoverageId(coverageId) ?? {};
  }
  if (observationId !== undefined) {
    return parseObservationId(observationId) ?? {};
  }
  return { userId: params['user_id'], orderId: params['order_id'] };
}

/** Returns the patient of a search, or undefined if it may return other patients, too. */
export function findSearchedPatient(
  name: FhirName,
  { raw, body }: FastifyRequest,
): string | undefined {
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
