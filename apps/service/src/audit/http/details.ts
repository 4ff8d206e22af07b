import { isUuid, type AuditDecision } from '@caregate/domain';
import { parseCoverageId, parseObservationId } from '@caregate/fhir';
import type { FastifyRequest } from 'fastify';
import { rawQuery } from '../../http/raw-request.ts';
import { operationOf } from '../../auth/operation.decorator.ts';
import { isFhirOperation } from '../../operations/fhir-operations.ts';
import { isOperation, OPERATIONS } from '../../operations/operations.ts';
import { SCOPES } from '../../operations/roles.ts';
import type { DataCategory } from '../../operations/operation-row.ts';
import { PERMISSIONS, decide, type PermissionTable } from '../../operations/permission-table.ts';
import type { Principal } from '../../auth/principal.ts';
import { problemTypeOfStatus } from '../../problem/problems.ts';
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { folded } from '@caregate/data-store';

const instant = /^\d{4}-\d\d-\d\d(?:T[0-9:.]{5,16}(?:Z|[+-]\d\d:?\d\d)?)?$/u;

/** Query parameters that may be recorded, with their formats: other values could be personal data. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  start_date: instant,
  end_date: instant,
  provider: /^[a-z0-9_-]{1,40}$/u,
  offset: /^\d{1,9}$/u,
  limit: /^\d{1,9}$/u,
  is_primary: /^(?:true|false)$/u,
  updated_start_date: instant,
  updated_end_date: instant,
  interpretation: /^[a-z_]{1,40}$/u,
  order_key: /^[a-z_]{1,40}$/u,
  order_direction: /^(?:asc|desc)$/u,
  page: /^\d{1,9}$/u,
  size: /^\d{1,9}$/u,
  log: /^[0-9a-f]{12}$/u,
  record: /^[0-9a-f]{32}$/u,
  patient: /^[0-9a-fA-F-]{36}$/u,
  actor_id: /^(?:[A-Za-z0-9]{12}|[0-9a-fA-F-]{36})$/u,
  format: /^(?:csv|fhir)$/u,
  operation: /^[A-Za-z_]{1,40}$/u,
  decision: /^(?:allowed|denied|not_found|invalid|failed)$/u,
  from: instant,
  to: instant,
};

const SEARCHED = ['patient_name', 'search_input'] as const;

const dates = /^(?:[a-z]{2})?\d{4}(?:-\d\d(?:-\d\d(?:T[0-9:.]{5,16}(?:Z|[+ -]\d\d:\d\d)?)?)?)?$/u;

/** Of searches of FHIR, whose names mean something else in the other operations. */
const ALLOWED_OF_FHIR: Readonly<Record<string, RegExp>> = {
  _count: /^\d{1,9}$/u,
  _lastUpdated: dates,
  _sort: /^-?(?:_lastUpdated|date|authored|birthdate)$/u,
  gender: /^(?:male|female|other|unknown)$/u,
  date: dates,
  authored: dates,
  category: /^(?:laboratory|activity|LAB)$/u,
  status:
    /^(?:active|completed|revoked|final|preliminary|partial|amended|corrected|cancelled|unknown)$/u,
};
const SEARCHED_OF_FHIR = ['name', 'family', 'given', 'birthdate'] as const;
const PATIENT_OF_FHIR = ['patient', 'subject', 'beneficiary'] as const;

export interface Hiding {
  readonly clientUserId: (clientUserId: string) => string;
  readonly search: (text: string) => string;
}

/** Repeated parameters and values in other formats are omitted. */
export function detailsOf(request: FastifyRequest, hidden: Hiding): Record<string, string> {
  const details: Record<string, string> = {};
  const text = rawQuery(request.raw.url ?? '');
  if (isFhirOperation(operationOf(request))) {
    const form = typeof request.body === 'string' ? request.body : '';
    addFhirQuery(details, new URLSearchParams(`${text}&${form}`), hidden);
  } else if (text !== '') {
    addQuery(details, new URLSearchParams(text), hidden);
  }
  const searched = (request.body as { text?: unknown } | null | undefined)?.text;
  if (typeof searched === 'string' && operationOf(request) === 'searchPeople') {
    details['search_hmac'] = hidden.search(searched);
  }
  const { client_user_id: clientUserId, ...params } = paramsOf(request);
  const { user_id: userId = askedIn(params)?.userId } = params;
  if (userId !== undefined && isUuid(userId)) {
    details['asked_user_id'] = userId.toLowerCase();
  }
  if (clientUserId !== undefined) {
    details['client_user_id_hmac'] = hidden.clientUserId(clientUserId);
  }
  return details;
}

function addQuery(details: Record<string, string>, query: URLSearchParams, hidden: Hiding): void {
  addSearched(details, query, SEARCHED, hidden);
  const user = query.get('user_id');
  if (user !== null && isUuid(user)) {
    details['asked_user_id'] = user.toLowerCase();
  }
  const [client, ...others] = query.getAll('client_user_id');
  if (client !== undefined && others.length === 0) {
    details['client_user_id_hmac'] = hidden.clientUserId(client);
  }
  addAllowed(details, query, ALLOWED);
}

function addFhirQuery(
  details: Record<string, string>,
  query: URLSearchParams,
  hidden: Hiding,
): void {
  addSearched(details, query, SEARCHED_OF_FHIR, hidden);
  for (const name of PATIENT_OF_FHIR) {
    const user = query.get(name)?.replace(/^Patient\//u, '') ?? '';
    if (isUuid(user)) {
      details['asked_user_id'] = user.toLowerCase();
    }
  }
  const identifier = query.get('identifier');
  if (identifier !== null) {
    const client = identifier.slice(identifier.indexOf('|') + 1);
    details['client_user_id_hmac'] = hidden.clientUserId(client);
  }
  addAllowed(details, query, ALLOWED_OF_FHIR);
}

function addSearched(
  details: Record<string, string>,
  query: URLSearchParams,
  names: readonly string[],
  hidden: Hiding,
): void {
  for (const name of names) {
    const value = query.get(name);
    if (value !== null) {
      details[`${name}_hmac`] = hidden.search(value);
    }
  }
}

/** Iterates over the known names: a query may have thousands of others. */
function addAllowed(
  details: Record<string, string>,
  query: URLSearchParams,
  allowed: Readonly<Record<string, RegExp>>,
): void {
  for (const [name, format] of Object.entries(allowed)) {
    const [value, ...more] = query.getAll(name);
    if (value !== undefined && more.length === 0 && format.test(value)) {
      details[name] = value;
    }
  }
}

export function orderIdOf(request: FastifyRequest): string | null {
  const params = paramsOf(request);
  const { order_id: orderId = askedIn(params)?.orderId } = params;
  return orderId !== undefined && isUuid(orderId) ? orderId.toLowerCase() : null;
}

/** Ids of resources of FHIR begin with the id of a user or an order. */
function askedIn({
  coverage_id: coverageId,
  observation_id: observationId,
}: ReturnType<typeof paramsOf>):
  | { readonly userId?: string; readonly orderId?: string }
  | undefined {
  if (coverageId !== undefined) {
    return parseCoverageId(coverageId);
  }
  return observationId === undefined ? undefined : parseObservationId(observationId);
}

function paramsOf(request: FastifyRequest): Readonly<Partial<Record<string, string>>> {
  return (request.params ?? {}) as Partial<Record<string, string>>;
}

export function dataCategoryOf(operation: string): DataCategory | null {
  return isOperation(operation) ? OPERATIONS[operation].category : null;
}

export function decisionOf(status: number): AuditDecision {
  if (status < 400) {
    return 'allowed';
  }
  if (status >= 499) {
    return 'failed';
  }
  switch (status) {
    case 401:
    case 403:
    case 429:
      return 'denied';
    case 404:
      return 'not_found';
    default:
      return 'invalid';
  }
}

export function reasonOf(status: number): string | null {
  if (status < 400) {
    return null;
  }
  switch (status) {
    case 404:
      return 'absent';
    case 429:
      return 'rate_limited';
    case 499:
      return 'disconnected';
    case 500:
      return 'failed';
    default:
      return problemTypeOfStatus(status).replaceAll('-', '_');
  }
}

/** `scope`: missing, `role`: not permitted, `narrowed`: by this deployment. */
export function denialOf(
  table: PermissionTable,
  caller: Pick<Principal, 'role' | 'scopes'>,
  operation: string,
): 'role' | 'scope' | 'narrowed' | undefined {
  if (!isOperation(operation) || decide(table, caller, operation) !== 'no') {
    return undefined;
  }
  if (decide(PERMISSIONS, { role: caller.role, scopes: SCOPES }, operation) === 'no') {
    return 'role';
  }
  return decide(PERMISSIONS, caller, operation) === 'no' ? 'scope' : 'narrowed';
}

/** Pseudonyms for the log of `client_user_id`s and searched texts, which could be personal data: an HMAC with a key per team. */
export class ClientUserIds {
  readonly #secret: Buffer;
  /** An object of a key is twice as fast as its bytes. */
  readonly #keys = new Map<string, KeyObject>();

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  hidden(teamId: string, clientUserId: string): string {
    return this.#hmac(`client_user_id ${teamId}`, clientUserId);
  }

  /** For a searched text, without case, accents and repeated spaces. */
  hiddenSearch(teamId: string, text: string): string {
    return this.#hmac(`search ${teamId}`, folded(text).trim().replaceAll(/\s+/gu, ' '));
  }

  #hmac(purpose: string, text: string): string {
    let key = this.#keys.get(purpose);
    if (key === undefined) {
      const bytes = hkdfSync('sha256', this.#secret, '', `caregate audit ${purpose}`, 32);
      key = createSecretKey(new Uint8Array(bytes));
      this.#keys.set(purpose, key);
    }
    return createHmac('sha256', key).update(text).digest('base64url');
  }
}
