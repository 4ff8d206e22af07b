import {
  OPERATION_NAMES as READ_NAMES,
  READ_OPERATIONS,
  SCOPES,
  STAFF_ROLES,
  type OperationName as ReadName,
  type ReadOperation,
  type Scope,
  type StaffRole,
} from '@caregate/domain/operations';

/** Roles. A principal has exactly one, so `auditor` and `admin` can't be combined. */
export const ROLES = [...STAFF_ROLES, 'auditor', 'admin', 'integration'] as const;
export type Role = (typeof ROLES)[number];
export { SCOPES, type Scope };

/** Permission of a role: `yes`, `no`, `mask` (masked fields), or the scope that the API key needs. */
export type Cell = 'yes' | 'mask' | 'no' | Scope;
export type PermissionRow = Readonly<Record<Role, Cell>>;

const RESOURCES = {
  user: 'Patient',
  insurance: 'Coverage',
  lab_result: 'DiagnosticReport',
} as const;
type Resource = (typeof RESOURCES)[keyof typeof RESOURCES] | 'ServiceRequest' | 'Observation';

/**
 * How exports of the audit log represent an operation in FHIR. `export` is for data that leaves the service by print,
 * file or clipboard.
 */
export type FhirKind =
  | { readonly form: 'read'; readonly resource: Resource }
  | { readonly form: 'search' }
  | { readonly form: 'audit' | 'export' | 'alert' | 'other' };

export type DataCategory = ReadOperation['category'] | 'access' | 'audit';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface OperationRow {
  readonly method: Method;
  readonly path: string;
  readonly also?: { readonly method: 'POST'; readonly path: string };
  readonly category: DataCategory;
  readonly fhir: FhirKind;
  /** Only for staff, with a session that is `active`, or `open`, which includes locked ones. */
  readonly session?: 'active' | 'open';
}

interface PermittedRow extends OperationRow {
  readonly permission: PermissionRow;
}

/**
 * A FHIR operation. It has the permissions of the reads that it is made of: any of them permits the route, and each
 * is checked before its data is read.
 */
interface FhirRow extends OperationRow {
  readonly under: readonly ReadName[];
  readonly scope?: Scope;
}

const SUBJECTS = ['user_id', 'client_user_id', 'order_id'] as const;
type Subject = (typeof SUBJECTS)[number];

const READS = Object.fromEntries(READ_NAMES.map((name) => [name, createReadRow(name)])) as Record<
  ReadName,
  PermittedRow
>;

const NO_ROLES = {
  ...{ front_desk: 'no', clinician: 'no', billing: 'no' },
  ...{ auditor: 'no', admin: 'no', integration: 'no' },
} as const satisfies PermissionRow;
const AUDITOR: PermissionRow = { ...NO_ROLES, auditor: 'yes' };
const CLINIC: PermissionRow = { ...NO_ROLES, front_desk: 'yes', clinician: 'yes', billing: 'yes' };
const CLINIC_AND_AUDITOR: PermissionRow = { ...CLINIC, auditor: 'yes' };
const ALL_STAFF: PermissionRow = { ...CLINIC_AND_AUDITOR, admin: 'yes' };

const ACCESS = { category: 'access', fhir: { form: 'other' } } as const;
const OPEN_SESSION = { ...ACCESS, session: 'open' } as const;
const ACTIVE_SESSION = { ...ACCESS, session: 'active' } as const;
const AUDIT = { category: 'audit', fhir: { form: 'audit' } } as const;
const EXPORT = { category: 'audit', fhir: { form: 'export' } } as const;

const SERVICE = {
  askBreakGlass: createRow('POST /access/break-glass', CLINIC, {
    ...ACCESS,
    fhir: { form: 'alert' },
  }),
  listBreakGlass: createRow('GET /access/break-glass', AUDITOR, ACCESS),
  reviewBreakGlass: createRow('POST /access/break-glass/{break_glass_id}/review', AUDITOR, ACCESS),
  endBreakGlass: createRow('DELETE /access/break-glass/{break_glass_id}', CLINIC, ACCESS),
  me: createRow('GET /access/me', ALL_STAFF, ACCESS),
  renewSession: createRow('POST /access/sessions/current/renew', ALL_STAFF, ACTIVE_SESSION),
  lockSession: createRow('POST /access/sessions/current/lock', ALL_STAFF, OPEN_SESSION),
  unlockSession: createRow('POST /access/sessions/current/unlock', ALL_STAFF, OPEN_SESSION),
  setPin: createRow('PUT /access/sessions/current/pin', ALL_STAFF, ACTIVE_SESSION),
  endSession: createRow('DELETE /access/sessions/current', ALL_STAFF, OPEN_SESSION),
  listAuditEvents: createRow('GET /audit/events', AUDITOR, AUDIT),
  listAuditAlarms: createRow('GET /audit/alarms', AUDITOR, AUDIT),
  exportAuditEvents: createRow('GET /audit/export', AUDITOR, AUDIT),
  listDisclosures: createRow('GET /audit/patients/{user_id}/disclosures', AUDITOR, AUDIT),
  recordDeskEvent: createRow('POST /audit/desk-events', CLINIC_AND_AUDITOR, EXPORT),
  auditLogState: createRow('GET /audit/log', AUDITOR, AUDIT),
  auditCheckpoint: createRow('GET /audit/checkpoint', CLINIC_AND_AUDITOR, AUDIT),
  auditProof: createRow('GET /audit/proof', CLINIC_AND_AUDITOR, AUDIT),
  auditKey: createRow('GET /audit/key', CLINIC_AND_AUDITOR, AUDIT),
};

export const FHIR_ROOT = '/fhir/r4';
const LABS = ['labOrderResult'] as const;
const OBSERVED = ['labOrderResult', 'mindfulnessMinutes'] as const;

const FHIR = {
  readPatient: createFhirRead('Patient/{user_id}', 'user', ['userInfo']),
  searchPatients: { ...createFhirSearch('Patient', 'user', ['listUsers']), scope: 'users:search' },
  readCoverage: createFhirRead('Coverage/{coverage_id}', 'insurance', ['latestInsurance']),
  searchCoverages: createFhirSearch('Coverage', 'insurance', ['latestInsurance']),
  readServiceRequest: createFhirRead('ServiceRequest/{order_id}', 'lab_result', LABS),
  searchServiceRequests: createFhirSearch('ServiceRequest', 'lab_result', LABS),
  readDiagnosticReport: createFhirRead('DiagnosticReport/{order_id}', 'lab_result', LABS),
  searchDiagnosticReports: createFhirSearch('DiagnosticReport', 'lab_result', LABS),
  readObservation: createFhirRead('Observation/{observation_id}', 'lab_result', OBSERVED),
  searchObservations: createFhirSearch('Observation', 'lab_result', OBSERVED),
} as const satisfies Readonly<Record<string, FhirRow>>;

/**
 * Routes without API key or session, which return no personal data. `metrics` needs its token, and the last four a
 * proof signed with a desk's key.
 */
export const PUBLIC_ROUTES = {
  about: { method: 'GET', path: '/' },
  healthz: { method: 'GET', path: '/healthz' },
  readyz: { method: 'GET', path: '/readyz' },
  metrics: { method: 'GET', path: '/metrics' },
  openapi: { method: 'GET', path: '/openapi.json' },
  docs: { method: 'GET', path: '/docs' },
  docsFile: { method: 'GET', path: '/docs/*' },
  signInInfo: { method: 'GET', path: '/access/sign-in' },
  fhirMetadata: { method: 'GET', path: '/fhir/r4/metadata' },
  problemType: { method: 'GET', path: '/problems/{type}' },
  enrolDesk: { method: 'POST', path: '/access/desks' },
  offerDeskKey: { method: 'POST', path: '/access/desks/key' },
  beginSession: { method: 'POST', path: '/access/sessions' },
  readBadge: { method: 'POST', path: '/access/badges' },
} as const satisfies Readonly<Record<string, Pick<OperationRow, 'method' | 'path'>>>;

export type PermittedName = keyof typeof PERMITTED;
export type FhirName = keyof typeof FHIR;
/** Name of an operation, as in permissions, the audit log, metrics, the request log and the OpenAPI document. */
export type OperationName = PermittedName | FhirName;
export type PublicRouteName = keyof typeof PUBLIC_ROUTES;
export type RouteName = OperationName | PublicRouteName;

export const PERMITTED = { ...READS, ...SERVICE };
export const PERMITTED_NAMES = Object.keys(PERMITTED) as readonly PermittedName[];
/** All operations that need an API key or a session. A route that is missing here can't be called with one. */
export const OPERATIONS: Readonly<Record<OperationName, OperationRow>> = { ...PERMITTED, ...FHIR };
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

const routes = Object.entries<Pick<OperationRow, 'method' | 'path' | 'also'>>({
  ...OPERATIONS,
  ...PUBLIC_ROUTES,
}).flatMap(([name, route]) =>
  [route, ...(route.also === undefined ? [] : [route.also])].map(
    ({ method, path }) => [`${method} ${toPattern(path)}`, name as RouteName] as const,
  ),
);
const nameByRoute: ReadonlyMap<string, RouteName> = new Map(routes);
/** Method and pattern of each route, such as `GET /v2/user/:user_id/info/latest`. */
export const ROUTES: readonly string[] = routes.map(([route]) => route);

export function findRouteName(method: string, pattern: string): RouteName | undefined {
  return nameByRoute.get(`${method} ${pattern}`);
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

export function isPublicRoute(name: string): name is PublicRouteName {
  return Object.hasOwn(PUBLIC_ROUTES, name);
}

export function isFhirOperation(name: string): name is FhirName {
  return Object.hasOwn(FHIR, name);
}

export function getFhirRow(name: FhirName): FhirRow {
  return FHIR[name];
}

/**
 * Health checks and metrics are exempt from the limits, since monitoring must work while other requests are refused.
 */
export function isProbe(name: string): boolean {
  return name === 'healthz' || name === 'readyz' || name === 'metrics';
}

/** Whether an answer takes many times as long as one about a single record. */
export function readsMany(name: OperationName): boolean {
  return OPERATIONS[name].fhir.form === 'search' || name === 'orderHistory';
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/**
 * Returns what emergency access to one patient must cover. Undefined for operations about several patients or none,
 * and for the audit log: emergency access must not reveal who saw a patient's data.
 */
export function findSubject(operation: OperationName): Subject | undefined {
  const { path, category } = OPERATIONS[operation];
  return category === 'audit' ? undefined : findSubjectInPath(path);
}

function findSubjectInPath(path: string): Subject | undefined {
  return SUBJECTS.find((name) => path.includes(`{${name}}`));
}

/** Converts `/v2/user/{user_id}` to the form of Fastify and Nest, `/v2/user/:user_id`. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}

function createRow(
  route: `${Method} ${string}`,
  permission: PermissionRow,
  kind: Omit<OperationRow, 'method' | 'path'>,
): PermittedRow {
  const [method, path] = route.split(' ') as [Method, string];
  return { method, path, permission, ...kind };
}

function createReadRow(name: ReadName): PermittedRow {
  const { route, roles, scope, masked = [], category }: ReadOperation = READ_OPERATIONS[name];
  const getCell = (role: StaffRole): Cell =>
    !roles.includes(role) ? 'no' : masked.includes(role) ? 'mask' : 'yes';
  const staff = Object.fromEntries(STAFF_ROLES.map((role) => [role, getCell(role)]));
  const isAboutOneUser = category !== 'timeseries' && findSubjectInPath(route.path) !== undefined;
  return {
    method: route.method ?? 'GET',
    // Without the documented slash at the end, which `toRoutableTarget` (http/raw-request.ts) removes from requests, and
    // which Redocly's rules reject.
    path: route.path.replace(/(?<=.)\/$/u, ''),
    permission: {
      ...(staff as Record<StaffRole, Cell>),
      ...{ auditor: 'no', admin: 'no', integration: scope ?? 'no' },
    },
    category,
    fhir: isAboutOneUser ? { form: 'read', resource: RESOURCES[category] } : { form: 'search' },
  };
}

function createFhirRead(
  path: `${Resource}/${string}`,
  category: OperationRow['category'],
  under: readonly ReadName[],
): FhirRow {
  const resource = path.slice(0, path.indexOf('/')) as Resource;
  const fhir = { form: 'read', resource } as const;
  return { method: 'GET', path: `${FHIR_ROOT}/${path}`, category, under, fhir };
}

function createFhirSearch(
  resource: Resource,
  category: OperationRow['category'],
  under: readonly ReadName[],
): FhirRow {
  const path = `${FHIR_ROOT}/${resource}`;
  const also = { method: 'POST', path: `${path}/_search` } as const;
  return { method: 'GET', path, also, category, under, fhir: { form: 'search' } };
}
