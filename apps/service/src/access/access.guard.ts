import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { AccessStore } from './access-store.ts';
import { presentedKey } from './keys/presented-key.ts';
import { Operation, Public } from './operation.decorator.ts';
import {
  PERMISSION_TABLE,
  decide,
  type OperationName,
  type PermissionTable,
} from './permission-table.ts';
import type { Principal } from './principal.ts';

/**
 * Who is calling (401), then whether the table lets them (403); both before anything is looked up. A route with neither
 * `@Operation` nor `@Public` is closed, even if the check at boot were left out.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #store: AccessStore;
  readonly #table: PermissionTable;

  constructor(
    @Inject(Reflector) reflector: Reflector,
    @Inject(AccessStore) store: AccessStore,
    @Inject(PERMISSION_TABLE) table: PermissionTable,
  ) {
    this.#reflector = reflector;
    this.#store = store;
    this.#table = table;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    const operation = this.#reflector.getAllAndOverride(Operation, places) as
      OperationName | undefined;
    const isPublic = this.#reflector.getAllAndOverride(Public, places) as true | undefined;
    if (operation === undefined && isPublic === true) {
      return true;
    }
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const principal = await this.#authenticate(request);
    const decision = operation === undefined ? 'no' : decide(this.#table, principal, operation);
    if (operation === undefined || decision === 'no') {
      throw forbidden();
    }
    request.principal = { ...principal, operation, sees: decision === 'mask' ? 'masked' : 'all' };
    return true;
  }

  async #authenticate(request: FastifyRequest): Promise<Principal> {
    const presented = presentedKey(request.raw.rawHeaders);
    if (presented === 'repeated') {
      throw new ProblemError({
        type: 'malformed-request',
        detail: 'The header x-service-api-key was sent more than once.',
      });
    }
    const principal =
      presented === 'missing'
        ? undefined
        : await this.#store.keys.authenticate(presented.key, request.ip);
    if (principal === undefined) {
      throw unauthorized();
    }
    return principal;
  }
}

/** One body for every cause (no key, unknown, wrong, expired, revoked, from elsewhere), so that it tells none. */
function unauthorized(): ProblemError {
  return new ProblemError({
    type: 'unauthorized',
    headers: { 'www-authenticate': 'ApiKey realm="caregate", header="x-service-api-key"' },
  });
}

function forbidden(): ProblemError {
  return new ProblemError({ type: 'forbidden' });
}
