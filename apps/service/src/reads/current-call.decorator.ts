import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SourceCall } from '../source/health-data-source.ts';

/** Parameter of a controller's method: the call as its source sees it, ended at the deadline or when the caller leaves. */
export const CurrentCall = createParamDecorator(
  (_data: undefined, context: ExecutionContext): SourceCall => {
    const { id, signal } = context.switchToHttp().getRequest<FastifyRequest>();
    return { requestId: id, signal };
  },
);
