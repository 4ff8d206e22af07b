import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { decide } from '../operations/permission-table.ts';
import type { OperationName } from '../operations/operations.ts';
import type { SourceCall } from '@caregate/data-store';
import { traceHeaders } from '../trace/request-trace.ts';
import { principalOf, type AllowedPrincipal } from './principal.ts';

/** Whoever sent the request that is being answered, once the guard has let them in. */
export class Caller implements SourceCall {
  readonly principal: AllowedPrincipal;
  readonly #request: FastifyRequest;

  /** @throws Error if the guard did not run, as on public routes */
  constructor(request: FastifyRequest) {
    this.principal = principalOf(request);
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

  /** The UUID that the answer carries as `x-request-id`. */
  get requestId(): string {
    return this.#request.id;
  }

  /** Headers that continue the trace of the request at an upstream. */
  get traceHeaders(): Readonly<Record<string, string>> {
    const { trace } = this.#request;
    return trace === undefined ? {} : traceHeaders(trace);
  }

  /** Aborts when the client disconnects or the answer takes too long. */
  get signal(): AbortSignal {
    return this.#request.timeout?.signal ?? this.#request.signal;
  }

  /** Lets other requests run. Rejects once nobody waits for the answer. */
  readonly pause = async (): Promise<void> => {
    await yieldToEventLoop();
    this.signal.throwIfAborted();
  };

  /** Whether the caller may also use another operation. */
  allows(operation: OperationName): boolean {
    return decide(this.principal.permissions, this.principal, operation) !== 'no';
  }
}

/** Makes a parameter decorator of a function of the request. */
export const fromRequest = (
  read: (request: FastifyRequest) => unknown,
): (() => ParameterDecorator) =>
  createParamDecorator((_data: undefined, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>()),
  );

export const CurrentCaller = fromRequest((request) => new Caller(request));

export const CurrentPrincipal = fromRequest(principalOf);
