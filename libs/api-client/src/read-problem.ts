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
    type: readString(body['type']),
    title: readString(body['title']),
    detail: readString(body['detail']),
    errors: [...readFieldErrors(body['errors']), ...readFieldErrors(body['detail'])],
    orderStatus: readString(body['order_status']),
    requestId: readRequestId(response) ?? readString(body['request_id']),
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
  const timeMs = /[A-Za-z]{3}/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(timeMs) ? undefined : Math.max(0, Math.ceil((timeMs - now) / 1000));
}

/** The service sends {parameter, reason}. FastAPI's form, an array in `detail`, is {loc: ["query", "limit"], msg}. */
function readFieldErrors(value: unknown): ProblemFieldError[] {
  if (!Array.isArray(value)) return [];
  const found: ProblemFieldError[] = [];
  for (const item of value as unknown[]) {
    const { loc: place, ...fields } = Object(item) as Record<string, unknown>;
    const loc = Array.isArray(place) ? (place as unknown[]) : [];
    const parameter =
      readString(fields['parameter']) ?? (loc.length > 1 ? loc.slice(1) : loc).join('.');
    const reason = readString(fields['reason']) ?? readString(fields['msg']);
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

function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
