import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { principalOf } from './principal.ts';

/** In a file of its own, since commands use principals without Nest. */
export const CurrentPrincipal = createParamDecorator(
  (_data: undefined, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
