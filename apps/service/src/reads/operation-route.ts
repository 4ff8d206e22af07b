import { Header, HttpCode, Req, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../access/operation.decorator.ts';
import { patternOf, type OperationName } from '../operations/operations.ts';
import type { OperationRow } from '../operations/operation-row.ts';

interface OperationRoute<Controller> extends Pick<OperationRow, 'method' | 'path'> {
  readonly operation: OperationName;
  readonly mediaType: string;
  readonly handle: (this: Controller, request: FastifyRequest) => Promise<string | Buffer>;
}

/** Adds a method to a controller, as its decorators would. */
export function addRoute<Controller extends object>(
  { prototype }: Type<Controller>,
  { operation, method, path, mediaType, handle }: OperationRoute<Controller>,
): void {
  const property = `${operation} ${method}`;
  const handler = { value: handle, writable: true, configurable: true };
  Object.defineProperty(prototype, property, handler);
  for (const decorate of [
    RequestMapping({ method: RequestMethod[method], path: patternOf(path) }),
    Operation(operation),
    Header('content-type', mediaType),
    HttpCode(200),
  ]) {
    decorate(prototype as object, property, handler);
  }
  Req()(prototype as object, property, 0);
}
