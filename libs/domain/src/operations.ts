/**
 * The table of operations: each operation of the interface document (part 4) and of the desktop. Routes are
 * tree-shakeable.
 */
import type { SchemaName } from './schema.ts';
import type * as validators from './validate.ts';

/** What a client needs to send a request. */
export interface Route {
  readonly name: string;
  /** Path in the interface document, with path parameters as `{name}`. */
  readonly path: string;
  /** GET by default. A search is a POST, so that its text is in the body and not in the URL. */
  readonly method?: 'POST';
}

export const LIST_USERS = { name: 'listUsers', path: '/v2/user/' } as const;
export const RESOLVE_USER = {
  name: 'resolveUser',
  path: '/v2/user/resolve/{client_user_id}',
} as const;
export const LATEST_INSURANCE = {
  name: 'latestInsurance',
  path: '/v2/user/{user_id}/insurance/latest',
} as const;
export const LAB_ORDER_RESULT = {
  name: 'labOrderResult',
  path: '/v3/order/{order_id}/result',
} as const;
export const MINDFULNESS_MINUTES = {
  name: 'mindfulnessMinutes',
  path: '/v2/timeseries/{user_id}/mindfulness_minutes/grouped',
} as const;
export const USER_INFO = { name: 'userInfo', path: '/v2/user/{user_id}/info/latest' } as const;
export const LIST_ORDERS = { name: 'listOrders', path: '/v3/orders' } as const;
export const ORDER_HISTORY = {
  name: 'orderHistory',
  path: '/desk/orders/{order_id}/history',
} as const;
export const SEARCH_PEOPLE = {
  name: 'searchPeople',
  path: '/desk/people/search',
  method: 'POST',
} as const;

/** Roles of clinic staff. */
export const STAFF_ROLES = ['front_desk', 'clinician', 'billing'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Scopes that a team can give to an API key with the role `integration`. Keys with other roles have no scopes. */
export const SCOPES = [
  'users:list',
  'users:read',
  'users:search',
  'insurance:read',
  'lab-results:read',
  'timeseries:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** An operation. Schemas are given by their names in `@caregate/domain/schema`. */
export interface ReadOperation {
  readonly route: Route;
  /** Schema of the path parameters, if there are any. */
  readonly params?: SchemaName;
  /** Schema of the query parameters, if there are any. */
  readonly query?: SchemaName;
  /** Schema of the request body of a POST. */
  readonly body?: SchemaName;
  /** Schema of the response. */
  readonly answer: SchemaName;
  /** Roles that may use the operation, unless a deployment restricts them. */
  readonly roles: readonly StaffRole[];
  /** Roles (a subset of `roles`) for which most fields of the response are masked. */
  readonly masked?: readonly StaffRole[];
  /** Scope that an integration's API key needs; null if the operation is for desks only. */
  readonly scope: Scope | null;
  /**
   * Category of the data in audit records. It decides the FHIR resource in exports of the log: `lab_result` is a report
   * of the order in the path, so that a read by user ID which returns no report is `user`.
   */
  readonly category: 'user' | 'insurance' | 'lab_result' | 'timeseries';
  /** Summary for the OpenAPI document. */
  readonly summary: string;
  readonly description: string;
  /** HTTP statuses of errors, beside those that every operation may return. */
  readonly problems?: readonly number[];
}

/** All operations by name. */
export const READ_OPERATIONS = {
  listUsers: {
    route: LIST_USERS,
    query: 'ListUsersQuery',
    answer: 'UserList',
    roles: ['front_desk', 'clinician', 'billing'],
    masked: ['front_desk', 'billing'],
    scope: 'users:list',
    category: 'user',
    summary: 'List the users of the team',
    description:
      'Sorted by creation time, then by id. `/v2/user/` (the path in the interface document) is an alias. A page past the end is empty.',
  },
  resolveUser: {
    route: RESOLVE_USER,
    params: 'ResolveUserParams',
    answer: 'User',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: 'users:read',
    category: 'user',
    summary: 'Resolve a user by client user id',
    description:
      'The id is compared exactly (case-sensitive). Percent-encode characters that are reserved in paths, including slashes.',
    problems: [414],
  },
  latestInsurance: {
    route: LATEST_INSURANCE,
    params: 'LatestInsuranceParams',
    query: 'LatestInsuranceQuery',
    answer: 'Insurance',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: 'insurance:read',
    category: 'insurance',
    summary: 'Get the latest insurance of a user',
    description:
      'The most recent primary insurance, or the most recent secondary one with `is_primary=false`. If the user exists but has none, the 404 is of the type `/problems/no-insurance`.',
  },
  labOrderResult: {
    route: LAB_ORDER_RESULT,
    params: 'LabOrderResultParams',
    answer: 'LabOrderResult',
    roles: ['front_desk', 'clinician'],
    scope: 'lab-results:read',
    category: 'lab_result',
    summary: 'Get the result of a lab order',
    description:
      'Biomarkers with their reference ranges, missing results with reasons, and the history of the order. If the order exists but has no result yet, the 404 is of the type `/problems/no-result`, and its `order_status` says where the order is.',
  },
  mindfulnessMinutes: {
    route: MINDFULNESS_MINUTES,
    params: 'MindfulnessMinutesParams',
    query: 'MindfulnessMinutesQuery',
    answer: 'GroupedMindfulnessMinutes',
    roles: ['clinician'],
    scope: 'timeseries:read',
    category: 'timeseries',
    summary: 'Get the mindfulness minutes of a user, grouped by provider',
    description:
      'Paginated: while `next_cursor` is not null, pass it as `next_cursor` with the same query to get the next page. A date without a time means 00:00:00 as `start_date` and 23:59:59 as `end_date`, in UTC.',
  },
  userInfo: {
    route: USER_INFO,
    params: 'UserInfoParams',
    answer: 'UserInfo',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: 'users:read',
    category: 'user',
    summary: 'Get the latest info of a user',
    description:
      'Name, birth date, gender, contact and address, as last recorded; what is not known is missing or null. If the user exists but nothing is known, the 404 is of the type `/problems/no-user-info`.',
  },
  listOrders: {
    route: LIST_ORDERS,
    query: 'ListOrdersQuery',
    answer: 'OrderList',
    roles: ['front_desk', 'clinician'],
    scope: 'lab-results:read',
    category: 'lab_result',
    summary: 'List the lab orders of the team',
    description:
      'Newest first unless `order_key` and `order_direction` say otherwise. An order is known of itself, or from its result; what is known of neither is missing or null. An order whose creation is not known counts by the day of its specimen. `status` and `order_ids` may be repeated. Where a deployment keeps lab results from a role, `interpretation` and `has_missing_results` are missing, and filtering by interpretation is forbidden. If the data of the team comes from an upstream that has no such list, the 501 is of the type `/problems/not-offered`.',
    problems: [501],
  },
  orderHistory: {
    route: ORDER_HISTORY,
    params: 'OrderHistoryParams',
    answer: 'OrderHistory',
    roles: ['front_desk', 'clinician'],
    scope: null,
    category: 'lab_result',
    summary: 'Get what came before the result of a lab order',
    description:
      'Up to ten earlier values of each biomarker of the same person in the same unit, and the version of the result that a correction replaced. A biomarker is known by its LOINC code, else slug, else the code of its laboratory, else name; one that a report has twice, with nothing to tell them apart, is in no history. Reports with another name or birth date are left out. Where a deployment keeps lab results from a role, it keeps this too. The audit record names every order that was read.',
    problems: [501],
  },
  searchPeople: {
    route: SEARCH_PEOPLE,
    body: 'PeopleSearch',
    answer: 'FoundPeople',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: null,
    category: 'user',
    summary: 'Search people',
    description:
      'By names in any order, parts of them, without accents, and by sound if nothing matches; by a birth date in the usual spellings, digits of a phone number, or an id, with or without its signs; where nobody has it, whose id is one slip from it. Best first. Who may not see lab results is not shown what only lab reports say. A team whose data comes from an upstream is searched by its lab orders only (`"searched": "orders"`). The text is recorded in the audit log only as an HMAC, and the people as listed.',
    problems: [501],
  },
} as const satisfies Readonly<Record<string, ReadOperation>>;

export type ReadOperations = typeof READ_OPERATIONS;
/** Name of an operation, as used by the client, permissions, the audit log and metrics. */
export type OperationName = keyof ReadOperations;
export const OPERATION_NAMES = /* @__PURE__ */ Object.keys(
  READ_OPERATIONS,
) as readonly OperationName[];

/** Response type of an operation. */
export type AnswerOf<Name extends OperationName> =
  ReturnTypeOf<`validate${ReadOperations[Name]['answer']}`>;
type ReturnTypeOf<Name extends keyof typeof validators> =
  (typeof validators)[Name] extends validators.Validator<infer T> ? T : never;

/** Names of the path parameters in a path, such as `user_id`. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;
