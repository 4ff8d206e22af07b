import type { FastifyRequest } from 'fastify';
import { routeName, type RouteName } from './operations.ts';

/** A route, as logs, metrics and the audit log know it. */
export interface RequestedRoute {
  /** `none` where there is no such route. */
  readonly operation: RouteName | 'none';
  /** The pattern of the path. */
  readonly pattern: string | undefined;
}

const none: RequestedRoute = { operation: 'none', pattern: undefined };
const found = new WeakMap<object, RequestedRoute>();

/** What a request asks for. Never anything that was sent. */
export function routeOfRequest(request: FastifyRequest): RequestedRoute {
  if (request.is404) {
    return none;
  }
  const { config, method, url } = request.routeOptions;
  // An object of the route, made when it was registered.
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
