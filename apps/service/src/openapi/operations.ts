import type { SchemaName } from '@caregate/domain/schema';

/** An operation of the interface document, as the OpenAPI document tells it. */
export interface ReadOperationAbout {
  /** The route's pattern as Fastify has it. */
  readonly route: string;
  /** The same path as it is documented. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Names of schemas of the domain. */
  readonly params?: SchemaName;
  readonly query?: SchemaName;
  readonly answer: SchemaName;
  /** Besides those that every operation may answer with. */
  readonly problems: readonly number[];
}

/** The five operations. Paths and parameters are those of the interface document, part 4. */
export const READ_OPERATIONS = {
  listUsers: {
    route: '/v2/user',
    path: '/v2/user',
    tag: 'Users',
    summary: 'List the users of the team',
    description:
      'By creation time, then by id. `/v2/user/`, as the interface document writes it, is the same. A page past the end is empty.',
    query: 'ListUsersQuery',
    answer: 'UserList',
    problems: [422],
  },
  resolveUser: {
    route: '/v2/user/resolve/:client_user_id',
    path: '/v2/user/resolve/{client_user_id}',
    tag: 'Users',
    summary: 'Find a user by the id that the team gave',
    description:
      'The id is compared as it is, letter for letter. Percent-encode what is not plain in a path, a slash too.',
    params: 'ResolveUserParams',
    answer: 'User',
    problems: [404, 414, 422],
  },
  latestInsurance: {
    route: '/v2/user/:user_id/insurance/latest',
    path: '/v2/user/{user_id}/insurance/latest',
    tag: 'Insurance',
    summary: 'Read the latest insurance of a user',
    description: 'The newest primary insurance, or with `is_primary=false` the newest other one.',
    params: 'LatestInsuranceParams',
    query: 'LatestInsuranceQuery',
    answer: 'Insurance',
    problems: [404, 422],
  },
  labOrderResult: {
    route: '/v3/order/:order_id/result',
    path: '/v3/order/{order_id}/result',
    tag: 'Lab results',
    summary: 'Read the result of a laboratory order',
    description:
      "Biomarkers with their reference ranges, what is missing and why, and the order's history.",
    params: 'LabOrderResultParams',
    answer: 'LabOrderResult',
    problems: [404, 422],
  },
  mindfulnessMinutes: {
    route: '/v2/timeseries/:user_id/mindfulness_minutes/grouped',
    path: '/v2/timeseries/{user_id}/mindfulness_minutes/grouped',
    tag: 'Timeseries',
    summary: 'Read the mindfulness minutes of a user, by provider',
    description:
      'A page at a time: while `next_cursor` is not null, pass it as `next_cursor` with the same query to read on. A date without time means 00:00:00 as `start_date` and 23:59:59 as `end_date`, in UTC.',
    params: 'MindfulnessMinutesParams',
    query: 'MindfulnessMinutesQuery',
    answer: 'GroupedMindfulnessMinutes',
    problems: [404, 422],
  },
} as const satisfies Record<string, ReadOperationAbout>;

export type ReadOperation = keyof typeof READ_OPERATIONS;
export const READ_OPERATION_NAMES = Object.keys(READ_OPERATIONS) as readonly ReadOperation[];

const names = new Map<string, string>(
  READ_OPERATION_NAMES.map((name) => [READ_OPERATIONS[name].route, name]),
);

/** The operation at a route's pattern; the pattern itself for other routes of ours, `none` where there is no route. */
export function operationOfRoute(route: string | undefined): string {
  return route === undefined ? 'none' : (names.get(route) ?? route);
}
