/** Where an operation is found. The documented paths, as Nest and Fastify write them. */
interface Place {
  readonly route: string;
}

/** The operations of the interface document. */
export const OPERATION_ROUTES = {
  listUsers: { route: '/v2/user' },
  resolveUser: { route: '/v2/user/resolve/:client_user_id' },
  latestInsurance: { route: '/v2/user/:user_id/insurance/latest' },
  labOrderResult: { route: '/v3/order/:order_id/result' },
  mindfulnessMinutes: { route: '/v2/timeseries/:user_id/mindfulness_minutes/grouped' },
} as const satisfies Record<string, Place>;

export type ReadOperation = keyof typeof OPERATION_ROUTES;

const names = new Map<string, string>(
  Object.entries(OPERATION_ROUTES).map(([name, { route }]) => [route, name]),
);

/** The operation at a route's pattern; the pattern itself for other routes of ours, `none` where there is no route. */
export function operationOfRoute(route: string | undefined): string {
  return route === undefined ? 'none' : (names.get(route) ?? route);
}
