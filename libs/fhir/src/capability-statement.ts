import type { CapabilityStatement } from 'fhir/r4.js';
import { GENDERS } from '@caregate/domain';
import { US_CORE } from './elements.ts';

export type SearchedType =
  | 'Patient'
  | 'Coverage'
  | 'ServiceRequest'
  | 'DiagnosticReport'
  | 'Observation';

export interface SearchParameter {
  readonly name: string;
  readonly type: 'token' | 'string' | 'date' | 'reference';
  readonly documentation: string;
}

function createParameter(
  name: string,
  type: SearchParameter['type'],
  documentation: string,
): SearchParameter {
  return { name, type, documentation };
}

const ID = createParameter('_id', 'token', 'Id of the resource');
const LAST_UPDATED = createParameter('_lastUpdated', 'date', 'When it last changed here');
const CATEGORY = createParameter('category', 'token', 'Code of its category');
const CODE = createParameter('code', 'token', 'LOINC code of what was measured');
const AUTHORED = createParameter('authored', 'date', 'When it was ordered');
const DATE = createParameter('date', 'date', 'When it was measured, or its specimen taken');

/** Search parameters of a resource that belongs to a patient. A search must give `patient` or `subject`. */
function listPatientParameters(other: string, ...more: SearchParameter[]): SearchParameter[] {
  return [
    ...['patient', other].map((name) => createParameter(name, 'reference', 'ID or Patient/ID')),
    ...[ID, ...more, createParameter('status', 'token', 'Its status'), LAST_UPDATED],
  ];
}

export const SEARCH_PARAMETERS: Readonly<Record<SearchedType, readonly SearchParameter[]>> = {
  Patient: [
    ID,
    createParameter('identifier', 'token', 'Id in the system of the team'),
    createParameter('name', 'string', 'Names or parts of names; needs users:search'),
    createParameter('family', 'string', 'Family name, or its beginning; needs users:search'),
    createParameter('given', 'string', 'Given name, or its beginning; needs users:search'),
    createParameter(
      'gender',
      'token',
      `One of ${Object.keys(GENDERS).join(', ')}; needs users:search`,
    ),
    createParameter('birthdate', 'date', 'Date of birth; needs users:search'),
    LAST_UPDATED,
  ],
  Coverage: listPatientParameters('beneficiary'),
  ServiceRequest: listPatientParameters('subject', CATEGORY, CODE, AUTHORED),
  DiagnosticReport: listPatientParameters('subject', CATEGORY, CODE, DATE),
  Observation: listPatientParameters('subject', CATEGORY, CODE, DATE),
};

/** Values that `_sort` accepts for a resource type. A leading `-` in the request sorts the latest first. */
export function listSortParameters(type: SearchedType): string[] {
  return SEARCH_PARAMETERS[type].flatMap((one) => (one.type === 'date' ? [one.name] : []));
}

const PROFILES: Readonly<Record<SearchedType, readonly string[]>> = {
  Patient: ['us-core-patient'],
  Coverage: ['us-core-coverage'],
  ServiceRequest: ['us-core-servicerequest'],
  DiagnosticReport: ['us-core-diagnosticreport-lab'],
  Observation: ['us-core-observation-lab', 'us-core-simple-observation'],
};

export const TYPES = Object.keys(SEARCH_PARAMETERS) as SearchedType[];

/**
 * @param server `base` is the address of the FHIR server; `date` is the date of this release, YYYY-MM-DD or a date-time.
 */
export function buildCapabilityStatement(server: {
  readonly base: string;
  readonly version: string;
  readonly date: string;
}): CapabilityStatement {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: server.date,
    kind: 'instance',
    software: { name: 'Caregate', version: server.version },
    implementation: { description: 'Caregate, read only', url: server.base },
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        security: { description: 'Authorization: Bearer, with a key of the service' },
        resource: TYPES.map((type) => ({
          type,
          supportedProfile: PROFILES[type].map((name) => `${US_CORE}/${name}`),
          interaction: [{ code: 'read' }, { code: 'search-type' }],
          searchParam: [...SEARCH_PARAMETERS[type]],
        })),
        searchParam: [
          {
            name: '_sort',
            type: 'special',
            documentation: 'A date parameter of the resource; after - the latest come first',
          },
        ],
      },
    ],
  };
}
