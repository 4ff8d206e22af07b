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
  MINDFULNESS_MINUTES_EXAMPLE,
  USER_EXAMPLE,
  USER_LIST_EXAMPLE,
} from './answer-examples.ts';
import type { DataCategory, FhirKind, Subject } from './operation-row.ts';
import type { Scope } from './roles.ts';

/** Permits exactly the staff roles that the catalogue lists for the operation. */
type ReadPermission<Name extends ReadName> = {
  readonly [R in StaffRole]: R extends ReadOperations[Name]['roles'][number]
    ? 'yes' | 'mask'
    : 'no';
} & { readonly auditor: 'no'; readonly admin: 'no'; readonly integration: Scope };

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
    readonly tag: 'Users' | 'Insurance' | 'Lab results' | 'Timeseries';
    readonly summary: string;
    readonly description: string;
    /** Problem statuses in addition to those of all operations. */
    readonly problems: readonly number[];
    readonly example: AnswerOf<Name>;
  };
}

/**
 * The five reads. Their names, paths, parameters and responses are in `@caregate/domain/operations`. An operation that is
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
        'Biomarkers with their reference ranges, missing results with reasons, and the history of the order.',
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
} as const satisfies { readonly [Name in ReadName]: ReadRow<Name> };
