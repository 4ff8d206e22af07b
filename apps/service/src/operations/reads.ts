import type {
  AnswerOf,
  OperationName as ReadName,
  PathParameter,
  ReadOperations,
  StaffRole,
} from '@caregate/domain/operations';
import {
  INSURANCE_EXAMPLE,
  LAB_ORDER_RESULT_EXAMPLE,
  FOUND_PEOPLE_EXAMPLE,
  MINDFULNESS_MINUTES_EXAMPLE,
  ORDER_HISTORY_EXAMPLE,
  ORDER_LIST_EXAMPLE,
  USER_EXAMPLE,
  USER_INFO_EXAMPLE,
  USER_LIST_EXAMPLE,
} from './answer-examples.ts';
import type { DataCategory, FhirKind, Subject } from './operation-row.ts';
import type { Scope } from './roles.ts';

/** Permits exactly the staff roles that the catalogue lists for the operation. */
type ReadPermission<Name extends ReadName> = {
  readonly [R in StaffRole]: R extends ReadOperations[Name]['roles'][number]
    ? 'yes' | 'mask'
    : 'no';
} & {
  readonly auditor: 'no';
  readonly admin: 'no';
  readonly integration: ReadOperations[Name] extends { readonly programs: false } ? 'no' : Scope;
};

type SubjectIn<Path extends string> = [Subject & PathParameter<Path>] extends [never]
  ? null
  : Subject & PathParameter<Path>;

/** The service's part of an operation in the domain's catalogue. */
export interface ReadRow<Name extends ReadName> {
  readonly permission: ReadPermission<Name>;
  readonly category: DataCategory;
  readonly fhir: FhirKind;
  readonly subject: SubjectIn<ReadOperations[Name]['route']['path']>;
  /** For the OpenAPI document. */
  readonly about: {
    readonly tag: 'Users' | 'Insurance' | 'Lab results' | 'Timeseries' | 'Desk';
    readonly summary: string;
    readonly description: string;
    /** Problem statuses in addition to those of all operations. */
    readonly problems: readonly number[];
    readonly example: AnswerOf<Name>;
  };
}

/**
 * The reads. Their names, paths, parameters and responses are in `@caregate/domain/operations`. An operation that is
 * missing here does not compile, nor does a permission for a role that the catalogue does not list.
 */
// prettier-ignore
export const READS = {
  listUsers: {
    permission: { front_desk: 'mask', clinician: 'yes', billing: 'mask', auditor: 'no', admin: 'no', integration: 'users:list' },
    category: 'user',
    fhir: { form: 'search' },
    subject: null,
    about: {
      tag: 'Users',
      summary: 'List the users of the team',
      description:
        'Sorted by creation time, then by id. `/v2/user/` (the path in the interface document) is an alias. A page past the end is empty.',
      problems: [422],
      example: USER_LIST_EXAMPLE,
    },
  },
  resolveUser: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'no', admin: 'no', integration: 'users:read' },
    category: 'user',
    fhir: { form: 'read', resource: 'Patient' },
    subject: 'client_user_id',
    about: {
      tag: 'Users',
      summary: 'Resolve a user by client user id',
      description:
        'The id is compared exactly (case-sensitive). Percent-encode characters that are reserved in paths, including slashes.',
      problems: [404, 414, 422],
      example: USER_EXAMPLE,
    },
  },
  latestInsurance: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'no', admin: 'no', integration: 'insurance:read' },
    category: 'insurance',
    fhir: { form: 'read', resource: 'Coverage' },
    subject: 'user_id',
    about: {
      tag: 'Insurance',
      summary: 'Get the latest insurance of a user',
      description:
        'The most recent primary insurance, or the most recent secondary one with `is_primary=false`. If the user exists but has none, the 404 is of the type `/problems/no-insurance`.',
      problems: [404, 422],
      example: INSURANCE_EXAMPLE,
    },
  },
  labOrderResult: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'no', auditor: 'no', admin: 'no', integration: 'lab-results:read' },
    category: 'lab_result',
    fhir: { form: 'read', resource: 'DiagnosticReport' },
    subject: 'order_id',
    about: {
      tag: 'Lab results',
      summary: 'Get the result of a lab order',
      description:
        'Biomarkers with their reference ranges, missing results with reasons, and the history of the order. If the order exists but has no result yet, the 404 is of the type `/problems/no-result`, and its `order_status` says where the order is.',
      problems: [404, 422],
      example: LAB_ORDER_RESULT_EXAMPLE,
    },
  },
  mindfulnessMinutes: {
    permission: { front_desk: 'no', clinician: 'yes', billing: 'no', auditor: 'no', admin: 'no', integration: 'timeseries:read' },
    category: 'timeseries',
    fhir: { form: 'search' },
    subject: 'user_id',
    about: {
      tag: 'Timeseries',
      summary: 'Get the mindfulness minutes of a user, grouped by provider',
      description:
        'Paginated: while `next_cursor` is not null, pass it as `next_cursor` with the same query to get the next page. A date without a time means 00:00:00 as `start_date` and 23:59:59 as `end_date`, in UTC.',
      problems: [404, 422],
      example: MINDFULNESS_MINUTES_EXAMPLE,
    },
  },
  userInfo: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'no', admin: 'no', integration: 'users:read' },
    category: 'user',
    fhir: { form: 'read', resource: 'Patient' },
    subject: 'user_id',
    about: {
      tag: 'Users',
      summary: 'Get the latest info of a user',
      description:
        'Name, birth date, gender, contact and address, as last recorded; what is not known is missing or null. If the user exists but nothing is known, the 404 is of the type `/problems/no-user-info`.',
      problems: [404, 422],
      example: USER_INFO_EXAMPLE,
    },
  },
  listOrders: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'no', auditor: 'no', admin: 'no', integration: 'lab-results:read' },
    category: 'lab_result',
    fhir: { form: 'search' },
    subject: null,
    about: {
      tag: 'Lab results',
      summary: 'List the lab orders of the team',
      description:
        'Newest first unless `order_key` and `order_direction` say otherwise. An order is known of itself, or from its result; what is known of neither is missing or null. An order whose creation is not known counts by the day of its specimen. `status` and `order_ids` may be repeated. Where a deployment keeps lab results from a role, `interpretation` and `has_missing_results` are missing, and filtering by interpretation is forbidden. If the data of the team comes from an upstream that has no such list, the 501 is of the type `/problems/not-offered`.',
      problems: [422, 501],
      example: ORDER_LIST_EXAMPLE,
    },
  },
  orderHistory: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'no', auditor: 'no', admin: 'no', integration: 'no' },
    category: 'lab_result',
    fhir: { form: 'read', resource: 'DiagnosticReport' },
    subject: 'order_id',
    about: {
      tag: 'Desk',
      summary: 'Get what came before the result of a lab order',
      description:
        'Up to ten earlier values of each biomarker of the same person, by LOINC code (else slug) and unit, and the version of the result that a correction replaced. Reports with another name or birth date are left out. Where a deployment keeps lab results from a role, it keeps this too. The audit record names every order that was read.',
      problems: [404, 422, 501],
      example: ORDER_HISTORY_EXAMPLE,
    },
  },
  searchPeople: {
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'no', admin: 'no', integration: 'no' },
    category: 'user',
    fhir: { form: 'search' },
    subject: null,
    about: {
      tag: 'Desk',
      summary: 'Search people',
      description:
        'By names in any order, parts of them, without accents, and by sound if nothing matches; by a birth date in the usual spellings, digits of a phone number, or an id. Best first. Who may not see lab results is not shown what only lab reports say. A team whose data comes from an upstream is searched by its lab orders only (`"searched": "orders"`). The text is recorded in the audit log only as an HMAC, and the people as listed.',
      problems: [413, 415, 422, 501],
      example: FOUND_PEOPLE_EXAMPLE,
    },
  },
} as const satisfies { readonly [Name in ReadName]: ReadRow<Name> };
