import { OPERATION_NAMES as READ_NAMES, READ_OPERATIONS } from '@caregate/domain/operations';
import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { OperationRow } from './operation-row.ts';
import { OWN_OPERATIONS } from './own-operations.ts';
import { PUBLIC_ROUTES } from './public-routes.ts';
import { READS } from './reads.ts';

/** Name of an operation: the same in permissions, the audit log, metrics, the request log and the OpenAPI document. */
export type OperationName = ReadName | keyof typeof OWN_OPERATIONS;

/** Every operation that asks for a key or a session. What is not here cannot be reached with one. */
export const OPERATIONS: Readonly<Record<OperationName, OperationRow>> = {
  ...(Object.fromEntries(READ_NAMES.map((name) => [name, rowOf(name)])) as Record<
    ReadName,
    OperationRow
  >),
  ...OWN_OPERATIONS,
};
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

/** Whether an operation is of the domain's catalogue. */
export function isRead(name: string): name is ReadName {
  return Object.hasOwn(READ_OPERATIONS, name);
}

export type PublicRouteName = keyof typeof PUBLIC_ROUTES;
export type RouteName = OperationName | PublicRouteName;

export function isPublicRoute(name: string): name is PublicRouteName {
  return Object.hasOwn(PUBLIC_ROUTES, name);
}

const routes = Object.entries({ ...OPERATIONS, ...PUBLIC_ROUTES }).map(
  ([name, { method, path }]) => [`${method} ${patternOf(path)}`, name as RouteName] as const,
);
const nameByRoute: ReadonlyMap<string, RouteName> = new Map(routes);
/** Every route, as `GET /v2/user/:user_id/insurance/latest`. */
export const ROUTES: readonly string[] = routes.map(([route]) => route);

/** What a route is called, by its method and its pattern as Fastify has it. */
export function routeName(method: string, pattern: string): RouteName | undefined {
  return nameByRoute.get(`${method} ${pattern}`);
}

/** `/v2/user/{user_id}` as Fastify and Nest write it: `/v2/user/:user_id`; what takes slashes is `*`. */
function patternOf(path: string): string {
  return path.replace(/\{\+\w+\}$/u, '*').replaceAll(/\{(\w+)\}/gu, ':$1');
}

function rowOf(name: ReadName): OperationRow {
  const { method, route } = READ_OPERATIONS[name];
  const { permission, category, fhir, subject } = READS[name];
  return { method, path: withoutLastSlash(route.path), permission, category, fhir, subject };
}

/** `routable` (http/request-path.ts) makes the documented path of it, and Redocly's rules refuse a slash at the end. */
function withoutLastSlash(path: string): string {
  return path.replace(/(?<=.)\/$/u, '');
}
