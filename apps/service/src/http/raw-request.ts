import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { FastifyRequest } from 'fastify';
import { isFhir, ProblemError, type FieldError } from '../problem/problem-error.ts';

/**
 * Documented paths that end with a slash. Only these are also accepted without it, since behind `/resolve/` a slash
 * belongs to the ID.
 */
const pathsWithSlash: ReadonlySet<string> = new Set(
  Object.values(READ_OPERATIONS)
    .map(({ route }) => route.path)
    .filter((path) => path.endsWith('/')),
);

export function getRawPath(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

export function getRawQuery(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query + 1);
}

const NO_ROUTE = '/.';

/**
 * Replaces targets that the router can't parse by a path without a route. Otherwise the router would refuse them
 * without rate limits and log.
 */
export function toRoutableTarget(target: string): string {
  const path = getRawPath(target);
  if (!isRootedPath(path) || !isPercentEncoded(path)) {
    return isFhir(path) ? `/fhir/r4${NO_ROUTE}` : NO_ROUTE;
  }
  return pathsWithSlash.has(path) ? path.slice(0, -1) + target.slice(path.length) : target;
}

function isRootedPath(path: string): boolean {
  return path.startsWith('/') || /^https?:\/\/[^/]/i.test(path);
}

function isPercentEncoded(text: string): boolean {
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
/** Returns all values of a header, since Node joins or drops repeated headers. @param name in lower case */
export function getHeaderValues(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) {
      values.push(rawHeaders[at + 1] ?? '');
    }
  }
  return values;
}

/** Maximum number of characters in a decoded path segment. */
const MAX_SEGMENT_LENGTH = 1024;

/** Returns a problem for defects that Node's HTTP parser accepts. */
export function findRequestProblem(request: FastifyRequest): ProblemError | undefined {
  const { raw } = request;
  const hosts = getHeaderValues(raw.rawHeaders, 'host').length;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
    return createMalformedError({ parameter: 'host', reason: 'must be sent exactly once' });
  }
  const target = request.originalUrl;
  const path = getRawPath(target);
  if (!isRootedPath(path)) {
    return createMalformedError({ parameter: 'path', reason: 'must begin with a slash' });
  }
  if (target.includes('#')) {
    return createMalformedError({
      parameter: 'path',
      reason: 'must not contain #; encode it as %23',
    });
  }
  if (!isPercentEncoded(path)) {
    return createMalformedError({
      parameter: 'path',
      reason: 'must be valid percent-encoded UTF-8',
    });
  }
  if (!isPercentEncoded(getRawQuery(target))) {
    return createMalformedError({
      parameter: 'query',
      reason: 'must be valid percent-encoded UTF-8',
    });
  }
  if (path.length > MAX_SEGMENT_LENGTH && getLongestSegmentLength(path) > MAX_SEGMENT_LENGTH) {
    return new ProblemError({ type: 'uri-too-long' });
  }
  if ((raw.method === 'GET' || raw.method === 'HEAD') && hasBody(raw.headers)) {
    return createMalformedError(
      { parameter: 'body', reason: 'must not be sent with this method' },
      // Close the connection, since the body would be read as the next request.
      { connection: 'close' },
    );
  }
  return undefined;
}

function getLongestSegmentLength(path: string): number {
  return Math.max(...path.split('/').map((part) => decodeURIComponent(part).length));
}

function hasBody(headers: FastifyRequest['raw']['headers']): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && !/^0+$/.test(headers['content-length']))
  );
}

function createMalformedError(error: FieldError, headers?: Record<string, string>): ProblemError {
  return new ProblemError({
    type: 'malformed-request',
    errors: [error],
    ...(headers === undefined ? {} : { headers }),
  });
}

/**
 * Checks that chunked encoding is available for a response of unknown length. Without it, a truncated response looks
 * complete. @throws ProblemError 400 over HTTP/1.0
 */
export function requireChunks({ raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.0') {
    const detail = 'A file is sent over HTTP/1.1 alone.';
    throw new ProblemError({ type: 'malformed-request', detail });
  }
}
