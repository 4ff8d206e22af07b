import type { FastifyRequest } from 'fastify';
import { routeName, type RouteName } from './operations.ts';

/** What a request asks for; `none` where there is no such route. Never anything that was sent. */
export function routeOfRequest(request: FastifyRequest): RouteName | 'none' {
  const { method, url } = request.routeOptions;
  if (request.is404 || url === undefined) {
    return 'none';
  }
  return routeName(typeof method === 'string' ? method : request.method, url) ?? 'none';
}
