import { READ_OPERATIONS } from '@caregate/domain/operations';

/** Paths that end with a slash in the interface document; our routes do not. */
const slashed: ReadonlySet<string> = new Set(
  Object.values(READ_OPERATIONS)
    .map(({ route }) => route.path)
    .filter((path) => path.endsWith('/')),
);

export function rawPath(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

export function rawQuery(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query + 1);
}

/** A path without a route. */
const NO_ROUTE = '/.';

/**
 * The target for the router. Only documented paths lose their last slash: behind `/resolve/` it is part of the id. What
 * the router could not read becomes a path without a route, since it would refuse it past the rate limits and the log.
 */
export function routable(target: string): string {
  const path = rawPath(target);
  if (!isRootedPath(path) || !isPercentEncoded(path)) {
    return NO_ROUTE;
  }
  return slashed.has(path) ? path.slice(0, -1) + target.slice(path.length) : target;
}

/** A path or an absolute http URL, not `*` or a name. */
export function isRootedPath(path: string): boolean {
  return path.startsWith('/') || /^https?:\/\/[^/]/i.test(path);
}

/** Whether text decodes as percent-encoded UTF-8. */
export function isPercentEncoded(text: string): boolean {
  if (!text.includes('%')) {
    return true;
  }
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
