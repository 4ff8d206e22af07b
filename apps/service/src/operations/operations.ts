import {
  OPERATION_NAMES as READ_NAMES,
  READ_OPERATIONS,
  STAFF_ROLES,
  type OperationName as ReadName,
  type ReadOperation,
  type StaffRole,
} from '@caregate/domain/operations';
import {
  SUBJECTS,
  type Cell,
  type FhirKind,
  type OperationRow,
  type PermissionRow,
  type PermittedRow,
  type Subject,
} from './operation-row.ts';
import { FHIR_OPERATIONS, type FhirName } from './fhir-operations.ts';
import { SERVICE_OPERATIONS } from './service-operations.ts';
import { PUBLIC_ROUTES } from './public-routes.ts';

/** Name of an operation: the same in permissions, the audit log, metrics, the request log and the OpenAPI document. */
export type OperationName = PermittedName | FhirName;
/** Operations with a row in the permission table. */
export type PermittedName = ReadName | keyof typeof SERVICE_OPERATIONS;

const RESOURCES = {
  user: 'Patient',
  insurance: 'Coverage',
  lab_result: 'DiagnosticReport',
} as const;

export const PERMITTED: Readonly<Record<PermittedName, PermittedRow>> = {
  ...(Object.fromEntries(READ_NAMES.map((name) => [name, rowOf(name)])) as Record<
    ReadName,
    PermittedRow
  >),
  ...SERVICE_OPERATIONS,
};
export const PERMITTED_NAMES = Object.keys(PERMITTED) as readonly PermittedName[];

/** Every operation that needs a key or a session. Others can't be reached with one. */
export const OPERATIONS: Readonly<Record<OperationName, OperationRow>> = {
  ...PERMITTED,
  ...FHIR_OPERATIONS,
};
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

/** Undefined for several, nobody, or the log about one: emergency access must not open the list of who saw a patient. */
export function subjectOf(operation: OperationName): Subject | undefined {
  const { path, category } = OPERATIONS[operation];
  return category === 'audit' ? undefined : SUBJECTS.find((name) => path.includes(`{${name}}`));
}

export type PublicRouteName = keyof typeof PUBLIC_ROUTES;
export type RouteName = OperationName | PublicRouteName;

export function isPublicRoute(name: string): name is PublicRouteName {
  return Object.hasOwn(PUBLIC_ROUTES, name);
}

const rows: Readonly<Record<string, Pick<OperationRow, 'method' | 'path' | 'also'>>> = {
  ...OPERATIONS,
  ...PUBLIC_ROUTES,
};
const routes = Object.entries(rows).flatMap(([name, row]) =>
  [row, ...(row.also === undefined ? [] : [row.also])].map(
    ({ method, path }) => [`${method} ${patternOf(path)}`, name as RouteName] as const,
  ),
);
const nameByRoute: ReadonlyMap<string, RouteName> = new Map(routes);
export const ROUTES: readonly string[] = routes.map(([route]) => route);

export function routeName(method: string, pattern: string): RouteName | undefined {
  return nameByRoute.get(`${method} ${pattern}`);
}

/** `/v2/user/{user_id}` as Fastify and Nest write it: `/v2/user/:user_id`; what takes slashes is `*`. */
function patternOf(path: string): string {
  return path.replace(/\{\+\w+\}$/u, '*').replaceAll(/\{(\w+)\}/gu, ':$1');
}

function rowOf(name: ReadName): PermittedRow {
  const { route, roles, scope, masked = [], category }: ReadOperation = READ_OPERATIONS[name];
  const cell = (role: StaffRole): Cell =>
    !roles.includes(role) ? 'no' : masked.includes(role) ? 'mask' : 'yes';
  const staff = Object.fromEntries(STAFF_ROLES.map((role) => [role, cell(role)]));
  const permission: PermissionRow = {
    ...(staff as Record<StaffRole, Cell>),
    auditor: 'no',
    admin: 'no',
    integration: scope ?? 'no',
  };
  return {
    method: route.method ?? 'GET',
    path: withoutLastSlash(route.path),
    permission,
    category,
    fhir: fhirKind(route.path, category),
  };
}

function fhirKind(path: string, category: ReadOperation['category']): FhirKind {
  return category !== 'timeseries' && SUBJECTS.some((name) => path.includes(`{${name}}`))
    ? { form: 'read', resource: RESOURCES[category] }
    : { form: 'search' };
}

/** `routable` (http/raw-request.ts) makes the documented path of it, and Redocly's rules refuse a slash at the end. */
function withoutLastSlash(path: string): string {
  return path.replace(/(?<=.)\/$/u, '');
}
