/** The catalogue: every operation of the interface document (part 4), once. Routes are tree-shakeable. */
import type { SchemaName } from './schema.ts';
import type * as validators from './validate.ts';

/** What a client needs to send a request. */
export interface Route {
  readonly name: string;
  /** The path in the interface document, with path parameters as `{name}`. */
  readonly path: string;
  /** GET unless given. A search is a POST, since its text is in the body; it changes nothing. */
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

/** Roles of the staff of a clinic. */
export const STAFF_ROLES = ['front_desk', 'clinician', 'billing'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Scopes that a team can give to a key of the role `integration`; keys of other roles have none. */
export const SCOPES = [
  'users:list',
  'users:read',
  'users:search',
  'insurance:read',
  'lab-results:read',
  'timeseries:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** An operation; schemas by their names in `@caregate/domain/schema`. */
export interface ReadOperation {
  readonly route: Route;
  /** Schema of the path parameters, if any. */
  readonly params?: SchemaName;
  /** Schema of the query parameters, if any. */
  readonly query?: SchemaName;
  /** Schema of the request body of a POST. */
  readonly body?: SchemaName;
  /** Schema of the response. */
  readonly answer: SchemaName;
  /** Roles that may use it, unless a deployment restricts them. */
  readonly roles: readonly StaffRole[];
  /** Those of `roles` who see the list with most fields left out. */
  readonly masked?: readonly StaffRole[];
  /** The scope that the key of a program needs; null for what only a desk needs. */
  readonly scope: Scope | null;
  /** What the data is about, for the audit log. */
  readonly category: 'user' | 'insurance' | 'lab_result' | 'timeseries';
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
  },
  resolveUser: {
    route: RESOLVE_USER,
    params: 'ResolveUserParams',
    answer: 'User',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: 'users:read',
    category: 'user',
  },
  latestInsurance: {
    route: LATEST_INSURANCE,
    params: 'LatestInsuranceParams',
    query: 'LatestInsuranceQuery',
    answer: 'Insurance',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: 'insurance:read',
    category: 'insurance',
  },
  labOrderResult: {
    route: LAB_ORDER_RESULT,
    params: 'LabOrderResultParams',
    answer: 'LabOrderResult',
    roles: ['front_desk', 'clinician'],
    scope: 'lab-results:read',
    category: 'lab_result',
  },
  mindfulnessMinutes: {
    route: MINDFULNESS_MINUTES,
    params: 'MindfulnessMinutesParams',
    query: 'MindfulnessMinutesQuery',
    answer: 'GroupedMindfulnessMinutes',
    roles: ['clinician'],
    scope: 'timeseries:read',
    category: 'timeseries',
  },
  userInfo: {
    route: USER_INFO,
    params: 'UserInfoParams',
    answer: 'UserInfo',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: 'users:read',
    category: 'user',
  },
  listOrders: {
    route: LIST_ORDERS,
    query: 'ListOrdersQuery',
    answer: 'OrderList',
    roles: ['front_desk', 'clinician'],
    scope: 'lab-results:read',
    category: 'lab_result',
  },
  orderHistory: {
    route: ORDER_HISTORY,
    params: 'OrderHistoryParams',
    answer: 'OrderHistory',
    roles: ['front_desk', 'clinician'],
    scope: null,
    category: 'lab_result',
  },
  searchPeople: {
    route: SEARCH_PEOPLE,
    body: 'PeopleSearch',
    answer: 'FoundPeople',
    roles: ['front_desk', 'clinician', 'billing'],
    scope: null,
    category: 'user',
  },
} as const satisfies Readonly<Record<string, ReadOperation>>;

export type ReadOperations = typeof READ_OPERATIONS;
/** Name of an operation in the client, permissions, audit log and metrics. */
export type OperationName = keyof ReadOperations;
export const OPERATION_NAMES = /* @__PURE__ */ Object.keys(
  READ_OPERATIONS,
) as readonly OperationName[];

/** Type of the response of an operation. */
export type AnswerOf<Name extends OperationName> =
  ReturnTypeOf<`validate${ReadOperations[Name]['answer']}`>;
type ReturnTypeOf<Name extends keyof typeof validators> =
  (typeof validators)[Name] extends validators.Validator<infer T> ? T : never;

/** Names of the path parameters in a path, such as `user_id`. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;
