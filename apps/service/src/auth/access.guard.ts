import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PERMISSIONS_IN_FORCE } from '../common/tokens.ts';
import { fhirRow, isFhirOperation, type FhirName } from '../operations/fhir-operations.ts';
import {
  isOperation,
  isPublicRoute,
  OPERATIONS,
  type OperationName,
} from '../operations/operations.ts';
import { decide, type PermissionTable } from '../operations/permission-table.ts';
import { isProbe } from '../operations/public-routes.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { Authentication } from './authentication.ts';
import { GrantedAccess } from './break-glass/granted-access.ts';
import { RequestLimits } from './request-limits.ts';
import { operationOf } from './operation.decorator.ts';
import type { AllowedPrincipal, Principal } from './principal.ts';

/** Refuses with 401 or 429, then 403, before anything is read. A route with neither `@Operation` nor `@Public` is closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly authentication: Authentication,
    @Inject(PERMISSIONS_IN_FORCE) private readonly permissions: PermissionTable,
    private readonly limits: RequestLimits,
    private readonly granted: GrantedAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const operation = operationOf(request);
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
    return true;
  }

  /** Counts a refusal for the client's address. @throws ProblemError 400, 401, 429 */
  async #authenticate(request: FastifyRequest): Promise<Principal> {
    try {
      return await this.authentication.principalOf(request);
    } catch (error) {
      if (error instanceof ProblemError && error.status < 500) {
        this.#limitAddress(request);
      }
      throw error;
    }
  }

  /** @throws ProblemError 403 */
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
      ? this.#seesEveryResource(principal, operation)
      : decision !== 'no';
    if (seesEverything) {
      return allowed;
    }
    const breakGlassId = await this.granted.grantFor(principal, operation, request);
    if (breakGlassId !== undefined) {
      return { ...allowed, sees: 'all', breakGlassId };
    }
    if (decision === 'no') {
      throw new ProblemError({ type: 'forbidden' });
    }
    return allowed;
  }

  /** Whether emergency access would show the caller no more than they see without it. */
  #seesEveryResource(principal: Principal, operation: FhirName): boolean {
    return fhirRow(operation).under.every(
      (read) => decide(this.permissions, principal, read) === 'yes',
    );
  }

  /** @throws ProblemError 429 */
  #limitAddress({ clientAddress }: FastifyRequest): void {
    const refusal = this.limits.refuseAddress(clientAddress);
    if (refusal !== undefined) {
      throw refusal;
    }
  }
}
