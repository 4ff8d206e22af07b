import type { FastifyRequest } from 'fastify';
import type { OperationName, Role, Scope } from '../operations/operations.ts';
import type { PermissionTable } from '../operations/permission-table.ts';

interface Caller {
  /** Lower-case UUID. Every query is restricted to this team. */
  readonly teamId: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

export interface KeyPrincipal extends Caller {
  readonly kind: 'key';
  readonly keyId: string;
  readonly label: string;
}

export interface StaffPrincipal extends Caller {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly deskId: string;
}

/** An authenticated API key or staff member. Only the guard creates it. */
export type Principal = KeyPrincipal | StaffPrincipal;

export type Actor =
  | Pick<KeyPrincipal, 'keyId' | 'role'>
  | Pick<StaffPrincipal, 'staffId' | 'sessionId' | 'deskId' | 'role'>;

export function getActorId(
  actor: { readonly keyId: string } | { readonly staffId: string },
): string {
  return 'keyId' in actor ? actor.keyId : actor.staffId;
}

export type AllowedPrincipal = Principal & {
  readonly permissions: PermissionTable;
  readonly operation: OperationName;
  readonly sees: 'all' | 'masked';
  readonly breakGlassId?: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    principal?: AllowedPrincipal;
    /** Set after authentication, even if the request is then denied. */
    caller?: Principal;
  }
}

/** @throws Error on public routes, which have no principal */
export function requirePrincipal(request: FastifyRequest): AllowedPrincipal {
  if (request.principal === undefined) {
    throw new Error('No principal: the access guard did not run for this route');
  }
  return request.principal;
}
