import { HealthDataError, hidden } from './health-data-error.ts';

/** An argument that cannot make a request: an id of `..`, a page size of 0. Nothing was sent. */
export class InvalidArgumentError extends HealthDataError {
  /** Name of the argument, never its value. */
  readonly argument: string;

  constructor(argument: string, reason: string, route?: string) {
    super('InvalidArgumentError', `${argument} ${reason}`, route);
    this.argument = argument;
  }
}

/** No whole answer came: refused, reset, cut off, name not found, certificate not trusted. */
export class NetworkError extends HealthDataError {
  /** The platform's code, such as `ECONNREFUSED`, where it gave one. */
  readonly code: string | undefined;
  /**
   * True where a connection kept from an earlier request ended before anything came, as when the service restarts. Told
   * by transports whose error has Node's request in it, such as axios's.
   */
  readonly onKeptConnection: boolean;

  constructor(route: string, failure: unknown) {
    const summary = summaryOf(failure);
    super(
      'NetworkError',
      summary.code === undefined ? 'no answer' : `no answer (${summary.code})`,
      route,
      summary.cause,
    );
    this.code = summary.code;
    // EPIPE where the reset is known before the request is written.
    this.onKeptConnection = /^(ECONNRESET|EPIPE)$/.test(summary.code ?? '') && wasKept(failure);
  }
}

function wasKept(failure: unknown): boolean {
  const { request, response } = failure as {
    request?: { reusedSocket?: unknown };
    response?: unknown;
  };
  return request?.reusedSocket === true && response === undefined;
}

/** The deadline passed before the body was read to its end. */
export class TimeoutError extends HealthDataError {
  readonly timeoutMs: number;

  constructor(route: string, timeoutMs: number) {
    super('TimeoutError', `no whole answer within ${timeoutMs} ms`, route);
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's signal was aborted. `cause` is the signal's reason. */
export class AbortError extends HealthDataError {
  constructor(route: string, reason: unknown) {
    super('AbortError', 'aborted by the caller', route, reason);
  }
}

/** Not sent: the circuit breaker is open, because the service failed again and again. */
export class CircuitOpenError extends HealthDataError {
  /** Seconds until a request may be let through. */
  readonly retryAfter: number;

  constructor(route: string, retryAfter: number) {
    super('CircuitOpenError', 'not sent, the circuit is open', route);
    this.retryAfter = retryAfter;
  }
}

/** Where an answer breaks the interface, and how; never its value. */
export interface ResponseIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An answer that is not what the interface describes: HTML, a redirect, a body too large, a cursor that repeats. */
export class InvalidResponseError extends HealthDataError {
  /** HTTP status of the answer; absent when the transport did not learn it. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** What validation found; left out by console.log and JSON.stringify, since paths hold the answer's own keys. */
  declare readonly issues: readonly ResponseIssue[];

  constructor(
    route: string,
    reason: string,
    status?: number,
    requestId?: string,
    issues: readonly ResponseIssue[] = [],
  ) {
    super('InvalidResponseError', reason, route);
    this.status = status;
    this.requestId = requestId;
    hidden(this, 'issues', issues);
  }
}

/**
 * The failure below, told by names and codes alone. The original stays out: axios errors carry the request with its
 * key, and fetch errors may quote the URL with its ids.
 */
function summaryOf(failure: unknown): { code: string | undefined; cause: Error | undefined } {
  let code: string | undefined;
  const names: string[] = [];
  let current: unknown = failure;
  // The innermost code is the platform's. By typeof: errors of another realm are no instances here.
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const at = current as { name?: unknown; code?: unknown; cause?: unknown };
    if (isLabel(at.name)) names.push(at.name);
    if (isLabel(at.code)) code = at.code;
    current = at.cause;
  }
  if (names.length === 0) return { code, cause: undefined };
  const cause = new Error([names.join(' < '), ...(code === undefined ? [] : [code])].join(': '));
  return { code, cause };
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value);
}
