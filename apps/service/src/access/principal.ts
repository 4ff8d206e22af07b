import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OperationName } from '../operations/operations.ts';
import type { Role, Scope } from '../operations/roles.ts';

/** Who is calling. Made in one place, the guard, before anything is looked up. */
export interface Principal {
  readonly kind: 'key';
  /** Lower-case uuid. Every query carries it. */
  readonly teamId: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly keyId: string;
  readonly label: string;
}

/** A principal that the guard has let into the operation at hand, and how much of the answer it may see. */
export interface AllowedPrincipal extends Principal {
  readonly operation: OperationName;
  readonly sees: 'all' | 'masked';
  /** The emergency grant without which the table would have said no. */
  readonly breakGlassId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard; read it with `CurrentPrincipal`. */
    principal?: AllowedPrincipal;
    /** Whose key it is, set as soon as that is known: also where the table then says no. */
    caller?: Principal;
  }
}

/** @throws where the guard has let nobody in: a public route asks for nobody's data */
export function principalOf(request: FastifyRequest): AllowedPrincipal {
  if (request.principal === undefined) {
    throw new Error('No principal: the access guard did not run for this route');
  }
  return request.principal;
}

/** Parameter of a controller's method: who is calling. See {@link principalOf}. */
export const CurrentPrincipal = createParamDecorator(
  (_data: undefined, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
