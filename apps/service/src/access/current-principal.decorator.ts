import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { principalOf } from './principal.ts';

/** Parameter decorator: the caller of a controller method. Apart, since commands know principals and start without Nest. */
export const CurrentPrincipal = createParamDecorator(
  (_data: undefined, context: ExecutionContext) =>
    principalOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
