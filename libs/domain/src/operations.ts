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
  /** False for what only a desk needs: programs have no scope for it. */
  readonly programs?: false;
  /** Roles that may use it, unless a deployment restricts them; programs need the scope in their key. */
  readonly roles: readonly StaffRole[];
}

/** All operations by name. */
export const READ_OPERATIONS = {
  listUsers: {
    route: LIST_USERS,
    query: 'ListUsersQuery',
    answer: 'UserList',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  resolveUser: {
    route: RESOLVE_USER,
    params: 'ResolveUserParams',
    answer: 'User',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  latestInsurance: {
    route: LATEST_INSURANCE,
    params: 'LatestInsuranceParams',
    query: 'LatestInsuranceQuery',
    answer: 'Insurance',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  labOrderResult: {
    route: LAB_ORDER_RESULT,
    params: 'LabOrderResultParams',
    answer: 'LabOrderResult',
    roles: ['front_desk', 'clinician'],
  },
  mindfulnessMinutes: {
    route: MINDFULNESS_MINUTES,
    params: 'MindfulnessMinutesParams',
    query: 'MindfulnessMinutesQuery',
    answer: 'GroupedMindfulnessMinutes',
    roles: ['clinician'],
  },
  userInfo: {
    route: USER_INFO,
    params: 'UserInfoParams',
    answer: 'UserInfo',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  listOrders: {
    route: LIST_ORDERS,
    query: 'ListOrdersQuery',
    answer: 'OrderList',
    roles: ['front_desk', 'clinician'],
  },
  orderHistory: {
    route: ORDER_HISTORY,
    params: 'OrderHistoryParams',
    answer: 'OrderHistory',
    programs: false,
    roles: ['front_desk', 'clinician'],
  },
  searchPeople: {
    route: SEARCH_PEOPLE,
    body: 'PeopleSearch',
    answer: 'FoundPeople',
    programs: false,
    roles: ['front_desk', 'clinician', 'billing'],
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
