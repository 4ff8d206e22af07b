import type { FastifyRequest } from 'fastify';
import { routeName, type RouteName } from './operations.ts';

/** A route in logs, metrics and the audit log. */
export interface RequestedRoute {
  /** `none` for an unknown route. */
  readonly operation: RouteName | 'none';
  readonly pattern: string | undefined;
}

const none: RequestedRoute = { operation: 'none', pattern: undefined };
const found = new WeakMap<object, RequestedRoute>();

declare module 'fastify' {
  interface FastifyRequest {
    requestedRoute?: RequestedRoute;
  }
}

/** Never contains anything that was sent. */
export function routeOfRequest(request: FastifyRequest): RequestedRoute {
  return (request.requestedRoute ??= findRoute(request));
}

function findRoute(request: FastifyRequest): RequestedRoute {
  if (request.is404) {
    return none;
  }
  const { config, method, url } = request.routeOptions;
  let route = found.get(config);
  if (route === undefined) {
    if (typeof method !== 'string') {
      return routeAt(request.method, url);
    }
    route = routeAt(method, url);
    found.set(config, route);
  }
  return route;
}

function routeAt(method: string, pattern: string | undefined): RequestedRoute {
  const operation = pattern === undefined ? undefined : routeName(method, pattern);
  return { operation: operation ?? 'none', pattern };
}
