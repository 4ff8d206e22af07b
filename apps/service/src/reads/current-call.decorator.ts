import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SourceCall } from '../source/health-data-source.ts';
import { traceHeaders } from '../trace/request-trace.ts';

/** A call on behalf of a request. Its signal is made for a source that asks for it: the store never does. */
class RequestCall implements SourceCall {
  readonly requestId: string;
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.requestId = request.id;
    this.#request = request;
  }

  get traceHeaders(): Readonly<Record<string, string>> {
    const { trace } = this.#request;
    return trace === undefined ? {} : traceHeaders(trace);
  }

  get signal(): AbortSignal {
    return this.#request.deadline?.signal ?? this.#request.signal;
  }
}

/** Parameter decorator for controller methods: the context of a source call; its signal is aborted on timeout or disconnect. */
export const CurrentCall = createParamDecorator(
  (_data: undefined, context: ExecutionContext): SourceCall =>
    new RequestCall(context.switchToHttp().getRequest<FastifyRequest>()),
);
