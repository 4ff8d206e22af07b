import type { FastifyRequest } from 'fastify';
import type { GuardedRoute } from '../../access/route-check.ts';

/** The operation behind each route, as the boot check found them. */
export class GuardedRoutes {
  readonly #operations = new Map<string, string>();

  learn(routes: readonly GuardedRoute[]): void {
    for (const { method, path, operation } of routes) {
      this.#operations.set(`${method} ${path}`, operation ?? 'public');
    }
  }

  /** `public` for what tells nothing about anyone, `none` where there is no such route; never anything that was sent. */
  operationOf(request: FastifyRequest): string {
    const { method, url } = request.routeOptions;
    if (request.is404 || url === undefined) {
      return 'none';
    }
    const verb = typeof method === 'string' ? method : request.method;
    return this.#operations.get(`${verb} ${url}`) ?? 'none';
  }
}
