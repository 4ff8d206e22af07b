import { READ_OPERATIONS } from '@caregate/domain/operations';

/** Paths that end with a slash in the interface document; our routes do not. */
const slashed: ReadonlySet<string> = new Set(
  Object.values(READ_OPERATIONS)
    .map(({ route }) => route.path)
    .filter((path) => path.endsWith('/')),
);

/** The path of a request target as sent: not decoded or normalized. */
export function rawPath(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** The query of a request target as sent, without the question mark. */
export function rawQuery(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query + 1);
}

/** A path without a route. */
const NO_ROUTE = '/.';

/**
 * The request target as the router gets it. `/v2/user/` is `/v2/user`, as documented; no other path loses its last
 * slash, since behind `/resolve/` it would be part of what is asked for. What the router could not read becomes a path
 * without a route: the router would refuse it on its own, past the rate limits and the log (`malformedRequest` looks at the
 * target as it was sent).
 */
export function routable(target: string): string {
  const path = rawPath(target);
  if (!isRootedPath(path) || !isPercentEncoded(path)) {
    return NO_ROUTE;
  }
  return slashed.has(path) ? path.slice(0, -1) + target.slice(path.length) : target;
}

/** Whether a target is a path or an absolute http URL, not `*` or a name. */
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
