import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Makes a parameter decorator of a function of the request. */
export const fromRequest = (
  read: (request: FastifyRequest) => unknown,
): (() => ParameterDecorator) =>
  createParamDecorator((_data: undefined, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>()),
  );
