import { HealthDataError, defineHiddenProperty } from './health-data-error.ts';

/** An argument is invalid, such as `..` as an ID or 0 as a page size. Nothing was sent. */
export class InvalidArgumentError extends HealthDataError {
  /** Name of the argument, never its value. */
  readonly argument: string;

  constructor(argument: string, reason: string, route?: string, words = argument) {
    super('InvalidArgumentError', `${words} ${reason}`, route);
    this.argument = argument;
  }
}

/**
 * There was no complete response: connection refused or reset, truncated response, unknown host, untrusted
 * certificate.
 */
export class NetworkError extends HealthDataError {
  /** Error code of the platform, such as `ECONNREFUSED`, or one derived from its message. Browsers give no code. */
  readonly code: string | undefined;
  /**
   * True if a kept-alive connection closed before any response, as in a restart. Only transports that attach Node's
   * request to their errors can tell.
   */
  readonly onKeptConnection: boolean;

  constructor(route: string, failure: unknown) {
    const summary = summarize(failure);
    super(
      'NetworkError',
      summary.code === undefined ? 'no response' : `no response (${summary.code})`,
      route,
      summary.cause,
    );
    this.code = summary.code;
    // The code is EPIPE if the reset arrives before the request is written.
    this.onKeptConnection =
      /^(ECONNRESET|EPIPE)$/.test(summary.code ?? '') && wasConnectionReused(failure);
  }
}

function wasConnectionReused(failure: unknown): boolean {
  const { request, response } = failure as {
    request?: { reusedSocket?: unknown };
    response?: unknown;
  };
  return request?.reusedSocket === true && response === undefined;
}

/** The timeout expired before the response was read completely. */
export class TimeoutError extends HealthDataError {
  readonly timeoutMs: number;

  constructor(route: string, timeoutMs: number) {
    super('TimeoutError', `timed out after ${timeoutMs} ms`, route);
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's signal was aborted. `cause` is the signal's reason. */
export class AbortError extends HealthDataError {
  constructor(route: string, reason: unknown) {
    super('AbortError', 'aborted by the caller', route, reason);
  }
}

/** The circuit breaker is open, since the service failed repeatedly. Nothing was sent. */
export class CircuitOpenError extends HealthDataError {
  /** Seconds until a request may be sent again. */
  readonly retryAfter: number;

  constructor(route: string, retryAfter: number) {
    super('CircuitOpenError', 'not sent: the circuit breaker is open', route);
    this.retryAfter = retryAfter;
  }
}

/** Where and how a response violates the interface. It never contains the value. */
export interface ResponseIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A response doesn't match the interface: HTML, a redirect, a body that is too large, a repeated cursor. */
export class InvalidResponseError extends HealthDataError {
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /**
   * Issues found by the validation. console.log and JSON.stringify omit them, since their paths contain keys of the
   * response.
   */
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
    defineHiddenProperty(this, 'issues', issues);
  }
}

/**
 * Copies only names and codes: axios errors contain the request with the API key, and fetch errors may quote the URL
 * with IDs.
 */
function summarize(failure: unknown): { code: string | undefined; cause: Error | undefined } {
  let code: string | undefined;
  const names: string[] = [];
  let current: unknown = failure;
  // The innermost code is the platform's. Check with typeof, since `instanceof` fails for errors of another realm.
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const at = current as { name?: unknown; code?: unknown; message?: unknown; cause?: unknown };
    if (isLabel(at.name)) names.push(at.name);
    const label = isLabel(at.code) ? at.code : at.message;
    code =
      CODES_BY_MESSAGE.find(([words]) => words.test(String(label)))?.[1] ??
      (isLabel(at.code) ? at.code : code);
    current = at.cause;
  }
  if (names.length === 0) return { code, cause: undefined };
  const cause = new Error([names.join(' < '), code ?? []].flat().join(': '));
  return { code, cause };
}

/** Deno reports the cause only in the message, and Bun uses names of its own. */
const CODES_BY_MESSAGE = [
  [/connection ?refused/i, 'ECONNREFUSED'],
  [/connection ?(?:reset|closed)/i, 'ECONNRESET'],
  [/dns error/i, 'ENOTFOUND'],
  [/invalid peer certificate/i, 'CERT_INVALID'],
] as const;

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(value);
}
