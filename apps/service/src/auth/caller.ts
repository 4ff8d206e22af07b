import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { decide, type PermissionTable } from '../operations/permission-table.ts';
import type { OperationName, Role, Scope } from '../operations/operations.ts';
import type { SourceCall } from '@caregate/data-store';
import { buildTraceHeaders } from '../trace/request-trace.ts';

interface Identity {
  /** Lower-case UUID. Every query is restricted to this team. */
  readonly teamId: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

export interface KeyPrincipal extends Identity {
  readonly kind: 'key';
  readonly keyId: string;
  readonly label: string;
}

export interface StaffPrincipal extends Identity {
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

/** The caller of a request that the guard has admitted. */
export class Caller implements SourceCall {
  readonly principal: AllowedPrincipal;
  readonly #request: FastifyRequest;

  /** @throws Error if the guard did not run, as on public routes */
  constructor(request: FastifyRequest) {
    this.principal = requirePrincipal(request);
    this.#request = request;
  }

  /** Lower-case UUID of the team whose data the caller may read. */
  get teamId(): string {
    return this.principal.teamId;
  }

  /** Whether lists of users show every field, or only the unmasked ones. */
  get sees(): 'all' | 'masked' {
    return this.principal.sees;
  }

  /** The UUID that the response has in `x-request-id`. */
  get requestId(): string {
    return this.#request.id;
  }

  /** Headers that continue the trace of the request at an upstream. */
  get traceHeaders(): Readonly<Record<string, string>> {
    const { trace } = this.#request;
    return trace === undefined ? {} : buildTraceHeaders(trace);
  }

  /** Aborts when the client disconnects or the request times out. */
  get signal(): AbortSignal {
    return this.#request.timeout?.signal ?? this.#request.signal;
  }

  /** Yields to other requests. Rejects when the client has disconnected or the request has timed out. */
  readonly pause = async (): Promise<void> => {
    await yieldToEventLoop();
    this.signal.throwIfAborted();
  };

  /** Whether the caller may also use another operation. */
  allows(operation: OperationName): boolean {
    return decide(this.principal.permissions, this.principal, operation) !== 'no';
  }
}

/** Creates a parameter decorator from a function of the request. */
export const createRequestDecorator = (
  read: (request: FastifyRequest) => unknown,
): (() => ParameterDecorator) =>
  createParamDecorator((_data: undefined, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>()),
  );

export const CurrentCaller = createRequestDecorator((request) => new Caller(request));

export const CurrentPrincipal = createRequestDecorator(requirePrincipal);
