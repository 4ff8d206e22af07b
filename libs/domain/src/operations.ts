/** The catalogue: every operation of the interface document (part 4), once. Each route is left out of a bundle that does not use it. */
import type { SchemaName } from './schema.ts';
import type * as validators from './validate.ts';

/** What a program has to know to ask. */
export interface Route {
  readonly name: string;
  /** As the interface document has it, with path parameters as `{name}`. */
  readonly path: string;
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

/** Roles of the people of a clinic, of whom an operation names those that it is meant for. */
export const STAFF_ROLES = ['front_desk', 'clinician', 'billing'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** An operation; shapes by their names in `@caregate/domain/schema`. */
export interface ReadOperation {
  readonly route: Route;
  readonly method: 'GET';
  /** Shape of the path parameters; none where the path has none. */
  readonly params?: SchemaName;
  /** Shape of the query parameters; none where it takes none. */
  readonly query?: SchemaName;
  /** Shape of the answer. */
  readonly answer: SchemaName;
  /** Who may use it, unless a deployment allows less; programs besides, by the scopes of their keys. */
  readonly roles: readonly StaffRole[];
}

/** Every operation by its name. */
export const READ_OPERATIONS = {
  listUsers: {
    route: LIST_USERS,
    method: 'GET',
    query: 'ListUsersQuery',
    answer: 'UserList',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  resolveUser: {
    route: RESOLVE_USER,
    method: 'GET',
    params: 'ResolveUserParams',
    answer: 'User',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  latestInsurance: {
    route: LATEST_INSURANCE,
    method: 'GET',
    params: 'LatestInsuranceParams',
    query: 'LatestInsuranceQuery',
    answer: 'Insurance',
    roles: ['front_desk', 'clinician', 'billing'],
  },
  labOrderResult: {
    route: LAB_ORDER_RESULT,
    method: 'GET',
    params: 'LabOrderResultParams',
    answer: 'LabOrderResult',
    roles: ['front_desk', 'clinician'],
  },
  mindfulnessMinutes: {
    route: MINDFULNESS_MINUTES,
    method: 'GET',
    params: 'MindfulnessMinutesParams',
    query: 'MindfulnessMinutesQuery',
    answer: 'GroupedMindfulnessMinutes',
    roles: ['clinician'],
  },
} as const satisfies Readonly<Record<string, ReadOperation>>;

export type ReadOperations = typeof READ_OPERATIONS;
/** Name of an operation, the same for programs that ask, in permissions, the audit log and metrics. */
export type OperationName = keyof ReadOperations;
export const OPERATION_NAMES = /* @__PURE__ */ Object.keys(
  READ_OPERATIONS,
) as readonly OperationName[];

/** Type of an operation's answer. */
export type AnswerOf<Name extends OperationName> =
  ReturnTypeOf<`validate${ReadOperations[Name]['answer']}`>;
type ReturnTypeOf<Name extends keyof typeof validators> =
  (typeof validators)[Name] extends validators.Validator<infer T> ? T : never;

/** Names of the path parameters in a path, such as `user_id`. */
export type PathParameter<Path extends string> =
  Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParameter<Rest> : never;
