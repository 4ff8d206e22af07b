import { InvalidArgumentError } from './errors/call-errors.ts';
import type { ReadOperations } from '@caregate/domain/operations';

/**
 * Origin and path prefix without a trailing slash. Throws {@link InvalidArgumentError}, whose message does not contain
 * the URL: it may include a password.
 */
export function baseAddress(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new InvalidArgumentError('baseUrl', 'must be an absolute URL');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InvalidArgumentError('baseUrl', 'must begin with https:// or http://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('baseUrl', 'must not contain a user name or password');
  }
  // Check the text as well: URL drops an empty query or fragment.
  if (/[?#]/.test(baseUrl)) {
    throw new InvalidArgumentError('baseUrl', 'must not have a query or a fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * Fills a template such as `/v2/user/{user_id}` with ids, each as one percent-encoded segment. Throws
 * {@link InvalidArgumentError} for `.`, `..` and the empty string, which a URL parser would resolve to another route.
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
    throw new InvalidArgumentError(name, 'must not be . or ..', route);
  }
  return encoded(name, id, route);
}

/** The defined values as `?a=b&c=d`, or an empty string. Throws {@link InvalidArgumentError}. */
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
    throw new InvalidArgumentError(name, 'must not contain a lone surrogate', route);
  }
}

/** Returns the name in lower case. Throws {@link InvalidArgumentError}. */
export function checkHeaderName(name: unknown, argument: string, route?: string): string {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw new InvalidArgumentError(argument, 'must be a header name', route);
  }
  return name.toLowerCase();
}

/** Returns the headers with names in lower case. Throws {@link InvalidArgumentError}; errors of platforms quote the values. */
export function checkHeaders(
  headers: Readonly<Record<string, unknown>>,
  route: string,
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || !/^[\t -~]*$/.test(value)) {
      throw new InvalidArgumentError('headers', 'must be visible ASCII', route);
    }
    checked[checkHeaderName(name, 'headers', route)] = value;
  }
  return checked;
}

/** A route of the catalogue. */
export type DocumentedRoute = ReadOperations[keyof ReadOperations]['route'];

/** Such as `GET /v2/user/resolve/{client_user_id}`; used as the route in errors. */
export function routeOf({ path }: DocumentedRoute): string {
  return `GET ${path}`;
}
