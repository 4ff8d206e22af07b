import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OperationName } from '../operations/operations.ts';
import type { Role, Scope } from '../operations/roles.ts';

/** The authenticated caller. Created only by the guard, before anything is looked up. */
export interface Principal {
  readonly kind: 'key';
  /** Lower-case uuid. Every query carries it. */
  readonly teamId: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly keyId: string;
  readonly label: string;
}

/** A principal authorized for the current operation, with what it may see. */
export interface AllowedPrincipal extends Principal {
  readonly operation: OperationName;
  readonly sees: 'all' | 'masked';
  /** The emergency access grant that permits the request. */
  readonly breakGlassId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard; read it with `CurrentPrincipal`. */
    principal?: AllowedPrincipal;
    /** The authenticated caller, set even if the request is then denied. */
    caller?: Principal;
  }
}

/** @throws on public routes, which have no principal */
export function principalOf(request: FastifyRequest): AllowedPrincipal {
  if (request.principal === undefined) {
    throw new Error('No principal: the access guard did not run for this route');
  }
  return request.principal;
}

/** Parameter decorator: the caller of a controller method. See {@link principalOf}. */
export const CurrentPrincipal = createParamDecorator(
  (_data: undefined, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
