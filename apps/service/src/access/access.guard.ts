import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFhir, ProblemError } from '../problem/problem-error.ts';
import type { AccessStore } from './access-store.ts';
import { askedPatient } from '../fhir/asked-patient.ts';
import { fhirRow, isFhirOperation, type FhirName } from '../operations/fhir-operations.ts';
import type { HealthDataSource } from '@caregate/data-store';
import type { RequestLimits } from './limits/request-limits.ts';
import { type KeyOfRequest, keyOfRequest } from './keys/key-format.ts';
import type { SessionGate } from './sessions/session-gate.ts';
import { sessionOfRequest } from './sessions/session-token.ts';
import { type Rule, ruleOf } from './operation.decorator.ts';
import {
  isOperation,
  OPERATIONS,
  routeOfRequest,
  subjectOf,
  type OperationName,
} from '../operations/operations.ts';
import { isProbe } from '../operations/public-routes.ts';
import { decide, type PermissionTable } from '../operations/permission-table.ts';
import type { Principal } from './principal.ts';

/** Refuses with 401 or 429, then 403, before any look-up. A route with neither `@Operation` nor `@Public` is closed. */
export class AccessGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #store: AccessStore;
  readonly #table: PermissionTable;
  readonly #source: HealthDataSource | undefined;
  readonly #sessions: SessionGate;
  readonly #limits: RequestLimits;
  readonly #rules = new WeakMap<object, Rule & { readonly controller: unknown }>();

  constructor(
    reflector: Reflector,
    store: AccessStore,
    table: PermissionTable,
    sessions: SessionGate,
    limits: RequestLimits,
    source: HealthDataSource | undefined,
  ) {
    this.#reflector = reflector;
    this.#store = store;
    this.#table = table;
    this.#source = source;
    this.#sessions = sessions;
    this.#limits = limits;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { operation, isPublic } = this.#rule(context);
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (operation === undefined && isPublic) {
      if (!isProbe(routeOfRequest(request).operation)) {
        this.#limitAddress(request);
      }
      return true;
    }
    const principal = await this.#authenticate(request, operation).catch((error: unknown) => {
      if (error instanceof ProblemError && error.status < 500) {
        this.#limitAddress(request);
      }
      throw error;
    });
    this.#limits.begin(request, principal);
    request.caller = principal;
    if (operation === undefined || !isOperation(operation)) {
      throw forbidden();
    }
    if (principal.kind === 'key' && sessionOf(operation) !== undefined) {
      throw new ProblemError({
        type: 'forbidden',
        detail: 'This operation is for people who have signed in.',
      });
    }
    const decision = decide(this.#table, principal, operation);
    const isWhole = isFhirOperation(operation)
      ? seesAll(this.#table, principal, operation)
      : decision !== 'no';
    if (isWhole) {
      request.principal = { ...principal, operation, sees: decision === 'mask' ? 'masked' : 'all' };
      return true;
    }
    const breakGlassId = await this.#grantFor(principal, operation, request);
    if (breakGlassId === undefined) {
      if (decision === 'no') {
        throw forbidden();
      }
      request.principal = { ...principal, operation, sees: decision === 'mask' ? 'masked' : 'all' };
      return true;
    }
    http.getResponse<FastifyReply>().header('x-break-glass-id', breakGlassId);
    request.principal = { ...principal, operation, sees: 'all', breakGlassId };
    return true;
  }

  /** Looks the patient up only for callers with a grant; all others are refused first. */
  async #grantFor(
    principal: Principal,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const grants = await this.#store.breakGlass.inForce(principal);
    if (grants.size === 0) {
      return undefined;
    }
    const userId = await this.#patientOf(principal.teamId, operation, request);
    return userId === undefined ? undefined : grants.get(userId.toLowerCase());
  }

  async #patientOf(
    teamId: string,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<string | undefined> {
    const params = (request.params ?? {}) as Readonly<Record<string, string | undefined>>;
    const subject = subjectOf(operation);
    switch (subject) {
      case 'user_id':
        return params[subject];
      case 'client_user_id':
        return (await this.#source?.read('resolveUser', teamId, params[subject] ?? ''))?.userId;
      case 'order_id':
        return (await this.#source?.read('labOrderResult', teamId, params[subject] ?? ''))?.userId;
      case undefined: {
        const asked = isFhirOperation(operation) ? askedPatient(operation, request) : undefined;
        return asked?.orderId === undefined
          ? asked?.userId
          : (await this.#source?.read('labOrderResult', teamId, asked.orderId))?.userId;
      }
    }
  }

  #rule(context: ExecutionContext): Rule {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    let rule = this.#rules.get(handler);
    // Two controllers may inherit a method.
    if (rule?.controller !== controller) {
      rule = { controller, ...ruleOf(this.#reflector, handler as () => unknown, controller) };
      this.#rules.set(handler, rule);
    }
    return rule;
  }

  /** @throws ProblemError 429 */
  #limitAddress({ clientAddress }: FastifyRequest): void {
    const refusal = this.#limits.refuseAddress(clientAddress);
    if (refusal !== undefined) {
      throw refusal;
    }
  }

  async #authenticate(request: FastifyRequest, operation: string | undefined): Promise<Principal> {
    const session = sessionOfRequest(request.raw);
    if (session !== 'missing') {
      return await this.#sessions.authenticate(request, session, sessionOf(operation) === 'open');
    }
    const presented = keyOfRequest(request.raw);
    if (presented === 'repeated') {
      throw new ProblemError({
        type: 'malformed-request',
        detail: isFhir(request.raw.url)
          ? 'The key must be sent only once: as Authorization: Bearer, or in x-service-api-key.'
          : 'The header x-service-api-key must be sent only once.',
      });
    }
    const principal = await this.#authenticateKey(presented, request.clientAddress);
    if (principal === undefined) {
      throw unauthorized(request);
    }
    return principal;
  }

  async #authenticateKey(
    presented: Exclude<KeyOfRequest, 'repeated'>,
    address: string,
  ): Promise<Principal | undefined> {
    const { keyCheck } = this.#store;
    if (presented === 'missing') {
      return undefined;
    }
    return 'text' in presented
      ? await keyCheck.authenticate(presented.text, address)
      : (keyCheck.authenticatedBefore(presented, address) ??
          (await keyCheck.authenticate(presented, address)));
  }
}

/** Whether a caller sees all that an operation of FHIR may show, so that emergency access would open no more. */
function seesAll(table: PermissionTable, principal: Principal, operation: FhirName): boolean {
  return fhirRow(operation).under.every((read) => decide(table, principal, read) === 'yes');
}

/** The sessions that may call an operation; undefined: keys may too. */
function sessionOf(operation: string | undefined): 'active' | 'open' | undefined {
  return operation !== undefined && isOperation(operation)
    ? OPERATIONS[operation].session
    : undefined;
}

/** The same body for every cause (missing, unknown, wrong, expired, revoked, wrong network), so that it reveals none. */
function unauthorized({ raw }: FastifyRequest): ProblemError {
  return new ProblemError({
    type: 'unauthorized',
    ...(isFhir(raw.url) && {
      detail: 'A valid team API key is required as Authorization: Bearer.',
    }),
    headers: {
      'www-authenticate': isFhir(raw.url)
        ? 'Bearer realm="caregate"'
        : 'ApiKey realm="caregate", header="x-service-api-key"',
    },
  });
}

function forbidden(): ProblemError {
  return new ProblemError({ type: 'forbidden' });
}
