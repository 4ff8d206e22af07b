import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { findRouteName, ROUTES } from '../operations/operations.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { getRawPath } from './raw-request.ts';

/** The routes of the service. Each must belong to its operation. It also tells the allowed methods of a path. */
export class RouteTable {
  readonly #router = findMyWay({ maxParamLength: 16_384 });
  readonly #operations = new Map<string, string | undefined>();

  /** Collects the routes that are added after this call. */
  static collect(fastify: FastifyInstance): RouteTable {
    const table = new RouteTable();
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const each of [method].flat()) {
        table.add(each, url, config?.operation);
      }
    });
    return table;
  }

  add(method: string, url: string, operation: string | undefined): void {
    this.#router.on(method as HTTPMethod, url, () => undefined);
    this.#operations.set(`${method} ${url}`, operation);
  }

  /** @throws Error with the first route that has no operation, or the first operation that has no route */
  requireOperations(): void {
    for (const [route, operation] of this.#operations) {
      const [method = '', url = ''] = route.split(' ');
      const expected = findRouteName(method, url);
      if (operation === undefined || operation !== expected) {
        throw new Error(
          `The route ${route} is marked with ${operation ?? 'no operation'}, and ${expected ?? 'no operation'} in operations/ has this path. ` +
            'Mark its method with @Operation, or with @Public if it returns no personal data.',
        );
      }
    }
    const missing = ROUTES.find((route) => !this.#operations.has(route));
    if (missing !== undefined) {
      throw new Error(`No controller serves ${missing}, which is in operations/.`);
    }
  }

  /** @returns 405 with the methods of the path, or 404 if the path has none */
  buildRefusal(target: string): ProblemError {
    const path = getRawPath(target);
    const methods = new Set([...this.#operations.keys()].map((route) => route.split(' ')[0] ?? ''));
    const allowed = [...methods]
      .filter((method) => this.#router.find(method as HTTPMethod, path) !== null)
      .sort();
    return allowed.length === 0
      ? new ProblemError({ type: 'not-found' })
      : new ProblemError({ type: 'method-not-allowed', headers: { allow: allowed.join(', ') } });
  }
}
