import type { FastifyRequest } from 'fastify';
import { ProblemError, type FieldError } from '../problem/problem-error.ts';
import { headerValues } from './raw-headers.ts';
import { isPercentEncoded, isRootedPath, rawPath, rawQuery } from './request-path.ts';

/** Of a path, decoded, in characters. */
const MAX_SEGMENT_LENGTH = 1024;

/** Defects that the HTTP parser accepts. */
export function malformedRequest(request: FastifyRequest): ProblemError | undefined {
  const { raw } = request;
  const hosts = headerValues(raw.rawHeaders, 'host').length;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
    return malformed({ parameter: 'host', reason: 'must be sent exactly once' });
  }
  const target = request.originalUrl;
  const path = rawPath(target);
  if (!isRootedPath(path)) {
    return malformed({ parameter: 'path', reason: 'must begin with a slash' });
  }
  if (target.includes('#')) {
    return malformed({ parameter: 'path', reason: 'must not contain #; encode it as %23' });
  }
  if (!isPercentEncoded(path)) {
    return malformed({ parameter: 'path', reason: 'must be valid percent-encoded UTF-8' });
  }
  if (!isPercentEncoded(rawQuery(target))) {
    return malformed({ parameter: 'query', reason: 'must be valid percent-encoded UTF-8' });
  }
  if (path.length > MAX_SEGMENT_LENGTH && longestPart(path) > MAX_SEGMENT_LENGTH) {
    return new ProblemError({ type: 'uri-too-long' });
  }
  if ((raw.method === 'GET' || raw.method === 'HEAD') && hasBody(raw.headers)) {
    return malformed(
      { parameter: 'body', reason: 'must not be sent with this method' },
      // The body would be read as the next request.
      { connection: 'close' },
    );
  }
  return undefined;
}

function longestPart(path: string): number {
  return Math.max(...path.split('/').map((part) => decodeURIComponent(part).length));
}

function hasBody(headers: FastifyRequest['raw']['headers']): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && !/^0+$/.test(headers['content-length']))
  );
}

function malformed(error: FieldError, headers?: Record<string, string>): ProblemError {
  return new ProblemError({
    type: 'malformed-request',
    errors: [error],
    ...(headers === undefined ? {} : { headers }),
  });
}
