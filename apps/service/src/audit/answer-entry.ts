import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { foldText } from '@caregate/data-store';
import { isUuid, type AuditDecision } from '@caregate/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { getOperation } from '../auth/operation.decorator.ts';
import type { Principal } from '../auth/caller.ts';
import { PERMANENT_SECRET, PERMISSIONS_IN_FORCE } from '../common/tokens.ts';
import { readParams, readSubject } from '../fhir/requested-patient.ts';
import { getRawQuery } from '../http/raw-request.ts';
import {
  type DataCategory,
  isFhirOperation,
  isOperation,
  OPERATIONS,
  SCOPES,
} from '../operations/operations.ts';
import { decide, PERMISSIONS, type PermissionTable } from '../operations/permission-table.ts';
import { getProblemType } from '../problem/problems.ts';
import { toActorFields } from './audit-entries.ts';
import type { AuditEntry } from './audit-record.ts';

const BREAK_THE_GLASS = 'BTG';

export function hashPolicy(table: PermissionTable): string {
  return createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16);
}

@Injectable()
export class AnswerEntries {
  readonly #policyVersion: string;
  /** HMAC keys by purpose and team. A KeyObject is twice as fast as the key's bytes. */
  readonly #keys = new Map<string, KeyObject>();

  constructor(
    @Inject(PERMISSIONS_IN_FORCE) private readonly table: PermissionTable,
    @Inject(PERMANENT_SECRET) private readonly secret: Buffer,
  ) {
    this.#policyVersion = hashPolicy(table);
  }

  describe(
    request: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): AuditEntry {
    const { principal, disclosure } = request;
    const decision = chooseDecision(status);
    // The 404 for an order without a result shows the order's status, so it counts as a disclosure.
    const disclosed = decision === 'allowed' || decision === 'not_found' ? disclosure : undefined;
    const { userId, orderId } = readSubject(request);
    const details = readDetails(request, userId, (purpose, text) =>
      this.#computeHmac(`${purpose} ${caller.teamId}`, text),
    );
    if (disclosed?.aboutUserId !== undefined) details['asked_user_id'] = disclosed.aboutUserId;
    if (disclosed?.shown !== undefined) details['shown'] = disclosed.shown;
    return {
      ...toActorFields(caller),
      team_id: caller.teamId,
      operation,
      data_category: disclosed?.category ?? findDataCategory(operation),
      decision,
      reason_code: this.#findReason(request, caller, operation, status),
      http_status: status,
      purpose_of_use: principal?.breakGlassId === undefined ? null : BREAK_THE_GLASS,
      break_glass_id: disclosed?.breakGlassId ?? principal?.breakGlassId ?? null,
      order_id: orderId !== undefined && isUuid(orderId) ? orderId.toLowerCase() : null,
      record_count: disclosed?.recordCount ?? null,
      request_id: request.id,
      client_ip: request.clientAddress,
      policy_version: this.#policyVersion,
      patients: disclosed?.patients ?? [],
      details: Object.assign(details, disclosed?.details),
    };
  }

  #findReason(
    { principal }: FastifyRequest,
    caller: Principal,
    operation: string,
    status: number,
  ): string | null {
    if (status === 403) {
      return explainDenial(this.table, caller, operation) ?? 'forbidden';
    }
    if (status >= 400) {
      return chooseReason(status);
    }
    if (principal?.breakGlassId !== undefined) {
      return 'break_glass';
    }
    return principal?.sees === 'masked' ? 'masked' : null;
  }

  /** Returns a pseudonym of possible personal data. Each purpose and team has its own key. */
  #computeHmac(purpose: string, text: string): string {
    let key = this.#keys.get(purpose);
    if (key === undefined) {
      const bytes = hkdfSync('sha256', this.secret, '', `caregate audit ${purpose}`, 32);
      key = createSecretKey(new Uint8Array(bytes));
      this.#keys.set(purpose, key);
    }
    return createHmac('sha256', key).update(text).digest('base64url');
  }
}

type Pseudonymize = (purpose: 'client_user_id' | 'search', text: string) => string;

/**
 * How a query parameter is recorded: unchanged if it matches this pattern, as the pseudonym of a search text, or as a
 * user ID.
 */
type RecordedFormat = RegExp | 'search' | 'user_id' | 'client_user_id';

const number = /^\d{1,9}$/u;
const word = /^[a-z_]{1,40}$/u;
const instant = /^\d{4}-\d\d-\d\d(?:T[0-9:.]{5,16}(?:Z|[+-]\d\d:?\d\d)?)?$/u;
const fhirDate =
  /^(?:[a-z]{2})?\d{4}(?:-\d\d(?:-\d\d(?:T[0-9:.]{5,16}(?:Z|[+ -]\d\d:\d\d)?)?)?)?$/u;

/** The query parameters that are recorded. Others may contain personal data. */
const QUERY: Readonly<Record<string, RecordedFormat>> = {
  user_id: 'user_id',
  client_user_id: 'client_user_id',
  patient_name: 'search',
  search_input: 'search',
  start_date: instant,
  end_date: instant,
  provider: /^[a-z0-9_-]{1,40}$/u,
  offset: number,
  limit: number,
  is_primary: /^(?:true|false)$/u,
  updated_start_date: instant,
  updated_end_date: instant,
  interpretation: word,
  order_key: word,
  order_direction: /^(?:asc|desc)$/u,
  page: number,
  size: number,
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

/** The recorded query parameters of FHIR searches, where the same names have other meanings. */
const FHIR_QUERY: Readonly<Record<string, RecordedFormat>> = {
  patient: 'user_id',
  subject: 'user_id',
  beneficiary: 'user_id',
  identifier: 'client_user_id',
  name: 'search',
  family: 'search',
  given: 'search',
  birthdate: 'search',
  _count: number,
  _lastUpdated: fhirDate,
  _sort: /^-?(?:_lastUpdated|date|authored|birthdate)$/u,
  gender: /^(?:male|female|other|unknown)$/u,
  date: fhirDate,
  authored: fhirDate,
  category: /^(?:laboratory|activity|LAB)$/u,
  status:
    /^(?:active|completed|revoked|final|preliminary|partial|amended|corrected|cancelled|unknown)$/u,
};

/**
 * Describes the path and query for the record. Values in other formats, and repeated parameters, are left out.
 * @param userId the user ID of the path
 */
export function readDetails(
  request: FastifyRequest,
  userId: string | undefined,
  pseudonymize: Pseudonymize,
): Record<string, string | number> {
  const details: Record<string, string | number> = {};
  const operation = getOperation(request);
  const { body } = request;
  const query = getRawQuery(request.raw.url ?? '');
  if (isFhirOperation(operation)) {
    const form = typeof body === 'string' ? body : '';
    addQuery(details, FHIR_QUERY, new URLSearchParams(`${query}&${form}`), pseudonymize);
  } else if (query !== '') {
    addQuery(details, QUERY, new URLSearchParams(query), pseudonymize);
  }
  const searchText = (body as { readonly text?: unknown } | null | undefined)?.text;
  if (operation === 'searchPeople' && typeof searchText === 'string') {
    details['search_hmac'] = pseudonymizeSearch(searchText, pseudonymize);
  }
  if (userId !== undefined && isUuid(userId)) {
    details['asked_user_id'] = userId.toLowerCase();
  }
  const clientUserId = readParams(request)['client_user_id'];
  if (clientUserId !== undefined) {
    details['client_user_id_hmac'] = pseudonymize('client_user_id', clientUserId);
  }
  return details;
}

/** Iterates over the known names, since a query may have thousands of others. */
function addQuery(
  details: Record<string, string | number>,
  recordedParameters: Readonly<Record<string, RecordedFormat>>,
  query: URLSearchParams,
  pseudonymize: Pseudonymize,
): void {
  for (const [name, recorded] of Object.entries(recordedParameters)) {
    const [value, another] = query.getAll(name);
    if (value === undefined) {
      continue;
    }
    if (recorded === 'search') {
      details[`${name}_hmac`] = pseudonymizeSearch(value, pseudonymize);
    } else if (recorded === 'client_user_id') {
      // In FHIR, the identifier is preceded by its system.
      const id = name === 'identifier' ? value.slice(value.indexOf('|') + 1) : value;
      details['client_user_id_hmac'] = pseudonymize('client_user_id', id);
    } else if (recorded === 'user_id') {
      const id = value.replace(/^Patient\//u, '');
      if (isUuid(id)) {
        details['asked_user_id'] = id.toLowerCase();
      }
    } else if (another === undefined && recorded.test(value)) {
      details[name] = value;
    }
  }
}

/** Ignores case, accents and repeated spaces, so that equal searches get the same pseudonym. */
function pseudonymizeSearch(text: string, pseudonymize: Pseudonymize): string {
  return pseudonymize('search', foldText(text).trim().replaceAll(/\s+/gu, ' '));
}

export function findDataCategory(operation: string): DataCategory | null {
  return isOperation(operation) ? OPERATIONS[operation].category : null;
}

const DECISIONS: Readonly<Record<number, AuditDecision>> = {
  401: 'denied',
  403: 'denied',
  404: 'not_found',
  429: 'denied',
};

export function chooseDecision(status: number): AuditDecision {
  if (status < 400) {
    return 'allowed';
  }
  return status >= 499 ? 'failed' : (DECISIONS[status] ?? 'invalid');
}

const REASONS: Readonly<Record<number, string>> = {
  404: 'absent',
  429: 'rate_limited',
  499: 'disconnected',
  500: 'failed',
};

export function chooseReason(status: number): string {
  return REASONS[status] ?? getProblemType(status).replaceAll('-', '_');
}

/** Returns why a request was denied: `scope` is missing, `role` doesn't permit it, or `narrowed` by this deployment. */
export function explainDenial(
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
