import type { FastifyRequest } from 'fastify';
import type { OperationName } from '../operations/operations.ts';
import type { Role, Scope } from '../operations/roles.ts';

interface Caller {
  /** Lower-case uuid. Every query carries it. */
  readonly teamId: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

/** A caller with a key of a team. */
export interface KeyPrincipal extends Caller {
  readonly kind: 'key';
  readonly keyId: string;
  readonly label: string;
}

/** A person at a desk. */
export interface StaffPrincipal extends Caller {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly deskId: string;
}

/** The authenticated caller. Created only by the guard, before anything is looked up. */
export type Principal = KeyPrincipal | StaffPrincipal;

/** Who does something, as records name it. */
export type Actor =
  | Pick<KeyPrincipal, 'keyId' | 'role'>
  | Pick<StaffPrincipal, 'staffId' | 'sessionId' | 'deskId' | 'role'>;

/** The key id, or the staff id. */
export function actorIdOf(
  actor: { readonly keyId: string } | { readonly staffId: string },
): string {
  return 'keyId' in actor ? actor.keyId : actor.staffId;
}

/** A principal authorized for the current operation, with what it may see. */
export type AllowedPrincipal = Principal & {
  readonly operation: OperationName;
  readonly sees: 'all' | 'masked';
  /** The emergency access grant that permits the request. */
  readonly breakGlassId?: string;
};

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
