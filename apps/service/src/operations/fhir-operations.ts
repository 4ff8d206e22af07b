import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { OperationRow } from './operation-row.ts';
import type { Scope } from './roles.ts';

/** Its permission is that of the reads under it: any of them opens the route, and each is asked for before it is read. */
interface FhirRow extends OperationRow {
  readonly under: readonly ReadName[];
  /** Opens the route, too. */
  readonly scope?: Scope;
}

export const FHIR_ROOT = '/fhir/r4';

type Resource = 'Patient' | 'Coverage' | 'ServiceRequest' | 'DiagnosticReport' | 'Observation';

const read = (
  resource: Resource,
  id: string,
  category: OperationRow['category'],
  ...under: readonly ReadName[]
): FhirRow => ({
  method: 'GET',
  path: `${FHIR_ROOT}/${resource}/{${id}}`,
  ...{ category, under, fhir: { form: 'read', resource } },
});

const search = (
  resource: Resource,
  category: OperationRow['category'],
  ...under: readonly ReadName[]
): FhirRow => ({
  method: 'GET',
  path: `${FHIR_ROOT}/${resource}`,
  also: { method: 'POST', path: `${FHIR_ROOT}/${resource}/_search` },
  ...{ category, under, fhir: { form: 'search' } },
});

export const FHIR_OPERATIONS = {
  readPatient: read('Patient', 'user_id', 'user', 'userInfo'),
  searchPatients: { ...search('Patient', 'user', 'listUsers'), scope: 'users:search' },
  readCoverage: read('Coverage', 'coverage_id', 'insurance', 'latestInsurance'),
  searchCoverages: search('Coverage', 'insurance', 'latestInsurance'),
  readServiceRequest: read('ServiceRequest', 'order_id', 'lab_result', 'labOrderResult'),
  searchServiceRequests: search('ServiceRequest', 'lab_result', 'labOrderResult'),
  readDiagnosticReport: read('DiagnosticReport', 'order_id', 'lab_result', 'labOrderResult'),
  searchDiagnosticReports: search('DiagnosticReport', 'lab_result', 'labOrderResult'),
  readObservation: read(
    ...(['Observation', 'observation_id', 'lab_result'] as const),
    ...(['labOrderResult', 'mindfulnessMinutes'] as const),
  ),
  searchObservations: search('Observation', 'lab_result', 'labOrderResult', 'mindfulnessMinutes'),
} as const satisfies Readonly<Record<string, FhirRow>>;

export type FhirName = keyof typeof FHIR_OPERATIONS;

export function isFhirOperation(name: string): name is FhirName {
  return Object.hasOwn(FHIR_OPERATIONS, name);
}

export function fhirRow(name: FhirName): FhirRow {
  return FHIR_OPERATIONS[name];
}
