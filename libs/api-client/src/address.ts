import { InvalidArgumentError } from './errors/call-errors.ts';

/**
 * Returns origin and path prefix without a trailing slash. Throws {@link InvalidArgumentError} without quoting the
 * URL, which may have a password.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  let url: URL | undefined;
  try {
    url = new URL(baseUrl);
  } catch {
    // The check below refuses it without quoting the URL.
  }
  // Check the text for `?` and `#`, since URL drops an empty query or fragment.
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password ||
    /[?#]/.test(baseUrl)
  ) {
    throw new InvalidArgumentError(
      'baseUrl',
      'must be an http:// or https:// URL without user name, password, query or fragment',
    );
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/**
 * Fills each ID into the path as one percent-encoded segment. Throws {@link InvalidArgumentError} for `.`, `..` and
 * '', which would change the route.
 */
export function fillPath(
  template: string,
  ids: Readonly<Record<string, unknown>>,
  route: string,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, ids[name], route));
}

function encodeSegment(name: string, id: unknown, route: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
    throw new InvalidArgumentError(name, 'must be a string, and not empty, . or ..', route);
  }
  return encodeValue(name, id, route);
}

type QueryValue = string | number | boolean;

/**
 * Returns a query such as `?status=c&status=d`, or ''. Converts names from camel case to snake case. Throws {@link
 * InvalidArgumentError}.
 */
export function formatQuery(values: object, route: string): string {
  const text = Object.entries(values)
    .flatMap(([name, value]: [string, QueryValue | readonly QueryValue[] | null | undefined]) =>
      [value ?? []]
        .flat()
        .map((each) => `${toSnakeCase(name)}=${encodeValue(name, String(each), route)}`),
    )
    .join('&');
  return text && `?${text}`;
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function encodeValue(name: string, value: string, route: string): string {
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

/**
 * Returns the headers with names in lower case. Throws {@link InvalidArgumentError} without quoting values, as errors
 * of the platform would.
 */
export function checkHeaders(
  headers: Readonly<Record<string, unknown>> = {},
  route?: string,
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
