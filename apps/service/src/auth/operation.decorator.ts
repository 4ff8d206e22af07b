import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import {
  type OperationName,
  type PublicRouteName,
  type RouteName,
} from '../operations/operations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: RouteName;
  }
}

/** Names the operation of a route: the guard, the audit record, metrics and the log go by it. Without a name, a route is closed. */
export const Operation = (operation: OperationName): MethodDecorator => RouteConfig({ operation });

/** Names a route without a key, which returns no personal data: health, metrics, the API description, sign-in. */
export const Public = (operation: PublicRouteName): MethodDecorator => RouteConfig({ operation });

/** The operation that a request is for. Never contains anything that was sent. */
export function operationOf({ is404, routeOptions }: FastifyRequest): RouteName | 'none' {
  return (is404 ? undefined : routeOptions.config.operation) ?? 'none';
}
