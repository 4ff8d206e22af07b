import type { ProblemFieldError } from '@caregate/domain';
import { HealthDataError, defineHiddenProperty } from './health-data-error.ts';

/** Content of an error response: a problem document (RFC 9457) or `{"detail": …}`. */
export interface ApiErrorParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  readonly detail?: string | undefined;
  readonly errors?: readonly ProblemFieldError[] | undefined;
  readonly orderStatus?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/**
 * A response with status 4xx or 5xx. The server's texts and headers may contain IDs, so console.log and
 * JSON.stringify omit them.
 */
export class HealthDataApiError extends HealthDataError {
  readonly status: number;
  /** URI reference of the problem type, such as `/problems/not-found`. */
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait before retrying, from `Retry-After` (seconds or a date). */
  readonly retryAfter: number | undefined;
  declare readonly title: string | undefined;
  declare readonly detail: string | undefined;
  /** The rejected parameters, each with its reason. */
  declare readonly errors: readonly ProblemFieldError[];
  /** Status of an order without a result, from its latest event, such as `received.walk_in_test.ordered`. */
  declare readonly orderStatus: string | undefined;
  /** Headers with names in lower case. */
  declare readonly headers: Readonly<Record<string, string>>;

  constructor(route: string, parts: ApiErrorParts) {
    const invalidParameters = (parts.errors ?? [])
      .map(({ parameter }) => parameter)
      .filter(isParameterName);
    const parameterList =
      invalidParameters.length === 0
        ? ''
        : ` (${[...new Set(invalidParameters)].slice(0, 5).join(', ')})`;
    super(
      findErrorName(parts.status),
      `responded with status ${parts.status}${parameterList}`,
      route,
    );
    this.status = parts.status;
    this.type = parts.type;
    this.requestId = parts.requestId;
    this.retryAfter = parts.retryAfter;
    defineHiddenProperty(this, 'title', parts.title);
    defineHiddenProperty(this, 'detail', parts.detail);
    defineHiddenProperty(this, 'errors', parts.errors ?? []);
    defineHiddenProperty(this, 'orderStatus', parts.orderStatus);
    defineHiddenProperty(this, 'headers', parts.headers);
  }
}

/** Whether a text looks like a parameter name of the interface. IDs and personal data don't. */
function isParameterName(parameter: string): boolean {
  return /^[a-z][a-z_.]{0,39}$/.test(parameter);
}

/** 400: the request is malformed. */
export class BadRequestError extends HealthDataApiError {}

/** 401: the API key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends HealthDataApiError {}

/** 403: the key's role or scopes don't allow this. */
export class ForbiddenError extends HealthDataApiError {}

/** 404: the team has no such user, order or insurance, or the order has no result yet. `type` says which. */
export class NotFoundError extends HealthDataApiError {}

/** 422: a parameter is invalid. The message names the parameters, and `errors` has the reason for each. */
export class InvalidParameterError extends HealthDataApiError {}

/** 429: too many requests. See `retryAfter`. */
export class RateLimitedError extends HealthDataApiError {}

/** 500 and above: the service failed. */
export class ServerError extends HealthDataApiError {}

const REFUSALS = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  422: 'InvalidParameterError',
  429: 'RateLimitedError',
} as const;

/** Returns the name of the class for a status. It can't be read from the class, since minifiers rename classes. */
function findErrorName(status: number): string {
  const names: Readonly<Record<number, string>> = REFUSALS;
  return names[status] ?? (status < 500 ? 'HealthDataApiError' : 'ServerError');
}

export function createApiError(route: string, parts: ApiErrorParts): HealthDataApiError {
  const classes: Readonly<Record<string, typeof HealthDataApiError>> = {
    BadRequestError,
    UnauthorizedError,
    ForbiddenError,
    NotFoundError,
    InvalidParameterError,
    RateLimitedError,
    ServerError,
  };
  return new (classes[findErrorName(parts.status)] ?? HealthDataApiError)(route, parts);
}
