import { InvalidArgumentError } from './errors/call-errors.ts';
import type { ReadOperations } from '@caregate/domain/operations';

/**
 * Origin and path prefix without a slash at the end. Throws {@link InvalidArgumentError}, which does not repeat the
 * address: it may hold a password.
 */
export function baseAddress(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new InvalidArgumentError('baseUrl', 'is not an absolute URL');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InvalidArgumentError('baseUrl', 'must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('baseUrl', 'must not hold a user name or password');
  }
  // In the text too: URL drops an empty query or fragment.
  if (/[?#]/.test(baseUrl)) {
    throw new InvalidArgumentError('baseUrl', 'must not have a query or a fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * Fills a template such as `/v2/user/{user_id}` with ids, each as one percent-encoded segment. Refuses what a URL
 * parser would turn into another route: `.`, `..` and nothing. Throws {@link InvalidArgumentError}.
 */
export function fillPath(
  template: string,
  ids: Readonly<Record<string, unknown>>,
  route: string,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, ids[name], route));
}

function segmentOf(name: string, id: unknown, route: string): string {
  if (typeof id !== 'string') throw new InvalidArgumentError(name, 'must be a string', route);
  if (id === '') throw new InvalidArgumentError(name, 'must not be empty', route);
  if (id === '.' || id === '..') {
    throw new InvalidArgumentError(name, 'must not be a path of dots', route);
  }
  return encoded(name, id, route);
}

/** The values that are there, as `?a=b&c=d`, or nothing. Throws {@link InvalidArgumentError}. */
export function queryText(
  values: Readonly<Record<string, string | number | boolean | undefined>>,
  route: string,
): string {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encoded(name, String(value), route)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encoded(name: string, value: string, route: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidArgumentError(name, 'holds half of a surrogate pair', route);
  }
}

/** In lower case. Throws {@link InvalidArgumentError}. */
export function checkHeaderName(name: unknown, argument: string, route?: string): string {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw new InvalidArgumentError(argument, 'must be the name of an HTTP header', route);
  }
  return name.toLowerCase();
}

/** Names in lower case. Throws {@link InvalidArgumentError}; platforms quote what they complain about. */
export function checkHeaders(
  headers: Readonly<Record<string, unknown>>,
  route: string,
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || !/^[\t -~]*$/.test(value)) {
      throw new InvalidArgumentError('headers', 'must be of visible ASCII characters', route);
    }
    checked[checkHeaderName(name, 'headers', route)] = value;
  }
  return checked;
}

/** A route of the catalogue. */
export type DocumentedRoute = ReadOperations[keyof ReadOperations]['route'];

/** Such as `GET /v2/user/resolve/{client_user_id}`: errors name an operation by it. */
export function routeOf({ path }: DocumentedRoute): string {
  return `GET ${path}`;
}
