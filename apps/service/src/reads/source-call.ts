import type { FastifyRequest } from 'fastify';
import type { SourceCall } from '../source/health-data-source.ts';

/** Whom a source is asked for; its signal is aborted at the handler's deadline, or when the caller has gone. */
export function callOf(request: FastifyRequest): SourceCall {
  return { requestId: request.id, signal: request.signal };
}
