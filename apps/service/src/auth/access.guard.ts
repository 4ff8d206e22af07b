import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessStore } from './access-store.ts';
import { PERMISSIONS_IN_FORCE } from '../common/tokens.ts';
import {
  type FhirName,
  getFhirRow,
  isFhirOperation,
  isOperation,
  isProbe,
  isPublicRoute,
  type OperationName,
  OPERATIONS,
  readsMany,
} from '../operations/operations.ts';
import { decide, type PermissionTable } from '../operations/permission-table.ts';
import { isFhir, ProblemError } from '../problem/problem-error.ts';
import { GrantedAccess } from './break-glass/granted-access.ts';
import { RequestLimits } from './request-limits.ts';
import { SessionGate, readSession } from './sessions/session-gate.ts';
import { readKey } from './key-format.ts';
import { getOperation } from './operation.decorator.ts';
import type { AllowedPrincipal, Principal } from './caller.ts';

/**
 * Refuses requests with 401 or 429, then with 403, before any data is read. A route with neither `@Operation` nor
 * `@Public` refuses all requests.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly access: AccessStore,
    private readonly sessions: SessionGate,
    @Inject(PERMISSIONS_IN_FORCE) private readonly permissions: PermissionTable,
    private readonly limits: RequestLimits,
    private readonly grantedAccess: GrantedAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const operation = getOperation(request);
    if (isPublicRoute(operation)) {
      if (!isProbe(operation)) {
        this.#limitAddress(request);
      }
      return true;
    }
    const principal = await this.#authenticate(request);
    this.limits.begin(request, principal);
    request.caller = principal;
    if (!isOperation(operation)) {
      throw new ProblemError({ type: 'forbidden' });
    }
    request.principal = await this.#authorize(principal, operation, request);
    if (request.principal.breakGlassId !== undefined) {
      http.getResponse<FastifyReply>().header('x-break-glass-id', request.principal.breakGlassId);
    }
    if (readsMany(operation)) {
      await this.limits.waitForListTurn(request);
    }
    return true;
  }

  /**
   * Authenticates a request. A refusal counts toward the rate limit of the client's address. @throws ProblemError
   * 400, 401, 429
   */
  async #authenticate(request: FastifyRequest): Promise<Principal> {
    try {
      const session = readSession(request.raw);
      if (session === 'missing') {
        return await this.#authenticateKey(request);
      }
      const operation = getOperation(request);
      const allowsLocked = isOperation(operation) && OPERATIONS[operation].session === 'open';
      return await this.sessions.authenticate(request, session, allowsLocked);
    } catch (error) {
      if (error instanceof ProblemError && error.status < 500) {
        this.#limitAddress(request);
      }
      throw error;
    }
  }

  async #authenticateKey(request: FastifyRequest): Promise<Principal> {
    const key = readKey(request.raw);
    if (key === 'repeated') {
      throw new ProblemError({
        type: 'malformed-request',
        detail: isFhir(request.raw.url)
          ? 'The key must be sent only once: as Authorization: Bearer, or in x-service-api-key.'
          : 'The header x-service-api-key must be sent only once.',
      });
    }
    const principal =
      key === 'missing'
        ? undefined
        : await this.access.keys.authenticate(key.text, request.clientAddress);
    if (principal === undefined) {
      throw createUnauthorizedProblem(request);
    }
    return principal;
  }

  /** @throws ProblemError 403 if the role or scopes don't permit the operation */
  async #authorize(
    principal: Principal,
    operation: OperationName,
    request: FastifyRequest,
  ): Promise<AllowedPrincipal> {
    const { permissions } = this;
    if (principal.kind === 'key' && OPERATIONS[operation].session !== undefined) {
      const detail = 'This operation is for people who have signed in.';
      throw new ProblemError({ type: 'forbidden', detail });
    }
    const decision = decide(permissions, principal, operation);
    const sees = decision === 'mask' ? 'masked' : 'all';
    const allowed = { ...principal, permissions, operation, sees } as const;
    const seesEverything = isFhirOperation(operation)
      ? this.#canReadEveryResource(principal, operation)
      : decision !== 'no';
    if (seesEverything) {
      return allowed;
    }
    const breakGlassId = await this.grantedAccess.findGrantId(principal, operation, request);
    if (breakGlassId !== undefined) {
      return { ...allowed, sees: 'all', breakGlassId };
    }
    if (decision === 'no') {
      throw new ProblemError({ type: 'forbidden' });
    }
    return allowed;
  }

  /** Whether the caller sees as much without emergency access. */
  #canReadEveryResource(principal: Principal, operation: FhirName): boolean {
    return getFhirRow(operation).under.every(
      (read) => decide(this.permissions, principal, read) === 'yes',
    );
  }

  /** @throws ProblemError 429 if the client's address has reached its limit */
  #limitAddress({ clientAddress }: FastifyRequest): void {
    const refusal = this.limits.refuseAddress(clientAddress);
    if (refusal !== undefined) {
      throw refusal;
    }
  }
}

/**
 * Returns the same body for every cause (missing, unknown, wrong, expired or revoked key, wrong network), so that it
 * doesn't reveal the cause.
 */
function createUnauthorizedProblem({ raw }: FastifyRequest): ProblemError {
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
