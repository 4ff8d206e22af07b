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

/**
 * Names the operation of a route, on which permissions, audit record, metrics and log depend. Without it, the guard
 * refuses all requests.
 */
export const Operation = (operation: OperationName): MethodDecorator => RouteConfig({ operation });

/** Names a route that needs no API key and returns no personal data: health, metrics, the API description, sign-in. */
export const Public = (operation: PublicRouteName): MethodDecorator => RouteConfig({ operation });

/** Returns the operation of a request. Never contains text of the request. */
export function getOperation({ is404, routeOptions }: FastifyRequest): RouteName | 'none' {
  return (is404 ? undefined : routeOptions.config.operation) ?? 'none';
}
