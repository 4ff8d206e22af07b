import type { ProblemFieldError } from '@caregate/domain';
import { isKind } from './shape.ts';
import type { TransportResponse } from './transport/transport.ts';
import type { ApiErrorParts } from './errors/api-errors.ts';

/**
 * Reads an error response. Never throws: without a JSON body, there are only status and headers. `clean` is applied
 * to all strings of the body.
 */
export function readProblem(
  response: TransportResponse,
  clean: (text: string) => string,
  now: number = Date.now(),
): ApiErrorParts {
  const body = parseObject(response.body, clean);
  return {
    status: response.status,
    headers: response.headers,
    type: textOrUndefined(body['type']),
    title: textOrUndefined(body['title']),
    detail: textOrUndefined(body['detail']),
    errors: [...fieldErrors(body['errors']), ...fieldErrors(body['detail'])],
    orderStatus: textOrUndefined(body['order_status']),
    requestId: readRequestId(response) ?? textOrUndefined(body['request_id']),
    retryAfter: readSeconds(response.headers['retry-after'], now),
  };
}

export function readRequestId(response: TransportResponse): string | undefined {
  return response.headers['x-request-id'];
}

/** Reads `Retry-After` in seconds, from a number or an HTTP date; undefined if it is neither. */
function readSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = /[A-Za-z]{3}/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

/** The service sends {parameter, reason}. FastAPI's form, an array in `detail`, is {loc: ["query", "limit"], msg}. */
function fieldErrors(value: unknown): ProblemFieldError[] {
  if (!Array.isArray(value)) return [];
  const found: ProblemFieldError[] = [];
  for (const item of value as unknown[]) {
    const { loc: place, ...of } = Object(item) as Record<string, unknown>;
    const loc = Array.isArray(place) ? (place as unknown[]) : [];
    const parameter =
      textOrUndefined(of['parameter']) ?? (loc.length > 1 ? loc.slice(1) : loc).join('.');
    const reason = textOrUndefined(of['reason']) ?? textOrUndefined(of['msg']);
    if (reason !== undefined) found.push({ parameter, reason });
  }
  return found;
}

function parseObject(body: string, clean: (text: string) => string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body, (_, value: unknown) =>
      typeof value === 'string' ? clean(value) : value,
    );
    return isKind(parsed, 'object') ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
