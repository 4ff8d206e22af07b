import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SourceCall } from '../source/health-data-source.ts';

/** Parameter decorator for controller methods: the context of a source call; its signal is aborted on handler timeout or disconnect. */
export const CurrentCall = createParamDecorator(
  (_data: undefined, context: ExecutionContext): SourceCall => {
    const { id, signal } = context.switchToHttp().getRequest<FastifyRequest>();
    return { requestId: id, signal };
  },
);
