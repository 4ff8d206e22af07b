import { baseAddress, checkHeaderName, checkHeaders } from './address.ts';
import type { AttemptHooks } from './attempt.ts';
import type { Authorize } from './authorize.ts';
import { connectionOf, type Connection } from './call.ts';
import { checkTimeout } from './deadline.ts';
import { InvalidArgumentError } from './errors/call-errors.ts';
import { checkRange } from './errors/check-arguments.ts';
import type { Logger } from './logger.ts';
import type { ResponseValidation } from './read-response.ts';
import type { CircuitBreaker } from './resilience/circuit-breaker.ts';
import { systemClock } from './resilience/clock.ts';
import type { Clock } from './resilience/clock.ts';
import { retryPolicyOf } from './resilience/retries.ts';
import type { RetryOptions } from './resilience/retries.ts';
import { FetchTransport } from './transport/fetch.transport.ts';
import type { Transport } from './transport/transport.ts';
import { userAgent } from './transport/user-agent.ts';

export interface HealthDataClientOptions {
  /** http or https URL with an optional path prefix; no query, fragment, user name or password. */
  readonly baseUrl: string;
  /**
   * API key of the team, or a function that gives it, called for each request, so that a new key holds at once. What it throws
   * rejects the call; nothing is sent. Cannot be read back. Required without `authorize`.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Headers for each request, instead of `apiKey` and `headerName`. */
  readonly authorize?: Authorize | undefined;
  /** Default: `fetch` of the platform. */
  readonly transport?: Transport | undefined;
  /** Time-out in milliseconds for the complete response, including retries and waits; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Time-out in milliseconds of a single request; default: none. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Maximum size of a response body in bytes, after decompression, to 1e9; default 32 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Request header for the API key; default `x-service-api-key`. */
  readonly headerName?: string | undefined;
  /** Sent with every request unless a call overrides them; no secrets: see `authorize`. `User-Agent` is set under Node only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly retries?: false | RetryOptions | undefined;
  readonly circuitBreaker?: CircuitBreaker | undefined;
  /** Gets a structured event of each request, for metrics and traces. */
  readonly hooks?: AttemptHooks | undefined;
  /** Such as `console`; default: none. */
  readonly logger?: Logger | undefined;
  /** Validates responses against the complete interface; created by `@caregate/api-client/validate`. */
  readonly validation?: ResponseValidation | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The first argument of `request` and of the functions in `@caregate/api-client/service`. Reads are retried; what changes
 * something is sent once. Throws {@link InvalidArgumentError} for invalid options.
 *
 * @example
 * const connection = connectService({ baseUrl: 'https://health.example', apiKey });
 * const { name, role } = await me(connection);
 */
export function connect(options: HealthDataClientOptions): Connection {
  // The key is taken out: only the closure of `authorize` has it.
  const {
    baseUrl,
    apiKey,
    headerName,
    authorize = keyHeader(apiKey, headerName),
    transport = new FetchTransport(),
    timeoutMs = 30_000,
    attemptTimeoutMs,
    maxBodyBytes = 2 ** 25,
    headers,
    retries,
    clock = systemClock,
    ...settings
  } = options;
  return connectionOf({
    ...settings,
    authorize,
    transport,
    clock,
    address: baseAddress(baseUrl),
    timeoutMs: checkTimeout(timeoutMs),
    attemptTimeoutMs:
      attemptTimeoutMs === undefined
        ? undefined
        : checkTimeout(attemptTimeoutMs, 'attemptTimeoutMs'),
    maxBodyBytes: checkRange('maxBodyBytes', maxBodyBytes, 1),
    headers: { ...userAgent(), ...checkHeaders(headers) },
    retries: retryPolicyOf(retries),
  });
}

/** The key is kept only in the closure that is returned, so that it cannot be inspected. */
function keyHeader(
  apiKey: HealthDataClientOptions['apiKey'],
  headerName = 'x-service-api-key',
): Authorize {
  const name = checkHeaderName(headerName, 'headerName');
  if (typeof apiKey === 'function') return async () => ({ [name]: checkedKey(await apiKey()) });
  const key = checkedKey(apiKey);
  return () => ({ [name]: key });
}

function checkedKey(key: unknown): string {
  // Checked here, since the error of the platform for an invalid header quotes its value; typeof for JavaScript.
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key)) {
    const reason = key ? 'must be visible ASCII' : 'is missing';
    throw new InvalidArgumentError('apiKey', reason, undefined, 'API key');
  }
  return key;
}
