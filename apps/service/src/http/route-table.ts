import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';
import { rawPath } from './raw-request.ts';

export class RouteTable {
  readonly #routes: Route[] = [];

  static of(fastify: FastifyInstance): RouteTable {
    const table = new RouteTable();
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const { public: isPublic }: { public?: unknown } = config ?? {};
      table.add(typeof method === 'string' ? [method] : method, url, isPublic === true);
    });
    return table;
  }

  add(methods: readonly string[], pattern: string, isPublic = false): void {
    this.#routes.push({ segments: pattern.split('/'), methods: new Set(methods), isPublic });
  }

  /** Routes that were added to Fastify directly, and so bypass the guard; public ones have `config: { public: true }`. */
  unguarded(guarded: readonly { readonly method: string; readonly path: string }[]): string[] {
    const known = new Set(guarded.map(({ method, path }) => `${method} ${path}`));
    return this.#routes
      .filter(({ isPublic }) => !isPublic)
      .flatMap(({ methods, segments }) =>
        [...methods].map(
          (method) => `${method} /${segments.filter((one) => one !== '').join('/')}`,
        ),
      )
      .filter((route) => !known.has(route));
  }

  methodsOf(path: string): readonly string[] {
    const segments = path.split('/').map(decoded);
    const methods = new Set<string>();
    for (const route of this.#routes) {
      if (matches(route.segments, segments)) {
        route.methods.forEach((method) => methods.add(method));
      }
    }
    return [...methods].sort();
  }

  refusal(target: string): ProblemError {
    const methods = this.methodsOf(rawPath(target));
    return methods.length === 0
      ? new ProblemError({ type: 'not-found' })
      : new ProblemError({ type: 'method-not-allowed', headers: { allow: methods.join(', ') } });
  }
}

interface Route {
  readonly segments: readonly string[];
  readonly methods: ReadonlySet<string>;
  readonly isPublic: boolean;
}

/** A parameter matches any one segment, also an empty one or dots; a trailing `*` matches the rest. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const open = pattern.at(-1) === '*';
  const fixed = open ? pattern.slice(0, -1) : pattern;
  return (
    (open ? path.length >= pattern.length : path.length === pattern.length) &&
    fixed.every((segment, at) => segment.startsWith(':') || segment === path[at])
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
