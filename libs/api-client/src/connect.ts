import { normalizeBaseUrl, checkHeaderName, checkHeaders } from './address.ts';
import type { AttemptHooks } from './attempt.ts';
import type { Authorize } from './authorize.ts';
import { createConnection, type Connection } from './call.ts';
import { checkTimeout } from './deadline.ts';
import { InvalidArgumentError } from './errors/call-errors.ts';
import { checkRange } from './errors/check-arguments.ts';
import type { Logger } from './logger.ts';
import type { ResponseValidation } from './read-response.ts';
import type { CircuitBreaker } from './resilience/circuit-breaker.ts';
import { systemClock } from './resilience/clock.ts';
import type { Clock } from './resilience/clock.ts';
import { createRetryPolicy } from './resilience/retries.ts';
import type { RetryOptions } from './resilience/retries.ts';
import { FetchTransport } from './transport/fetch.transport.ts';
import type { Transport } from './transport/transport.ts';
import { buildUserAgentHeader } from './transport/user-agent.ts';

export interface HealthDataClientOptions {
  /** An http or https URL with an optional path prefix, without query, fragment, user name or password. */
  readonly baseUrl: string;
  /**
   * API key of the team, or a function that returns it. The function is called for each request, so that a new key
   * takes effect immediately; if it throws, nothing is sent and the call rejects with that error. The key can't be
   * read back. Required without `authorize`.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Returns the headers that authorize each request, instead of `apiKey` and `headerName`. */
  readonly authorize?: Authorize | undefined;
  /** The platform's `fetch` by default. */
  readonly transport?: Transport | undefined;
  /** Timeout in milliseconds of a whole call, including retries and waits; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Timeout in milliseconds of a single request; none by default. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Maximum size of a response body in bytes after decompression, at most 1e9; 32 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** Request header for the API key; `x-service-api-key` by default. */
  readonly headerName?: string | undefined;
  /**
   * Headers of every request, which a call may override. Put secrets into `authorize` instead. `User-Agent` is set
   * under Node only.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly retries?: false | RetryOptions | undefined;
  readonly circuitBreaker?: CircuitBreaker | undefined;
  /** Receives a structured event before and after each request, for metrics and traces. */
  readonly hooks?: AttemptHooks | undefined;
  /** A logger such as `console`; none by default. */
  readonly logger?: Logger | undefined;
  /** Validates responses against the complete interface. Create it with `@caregate/api-client/validate`. */
  readonly validation?: ResponseValidation | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Connects to a service: the result is the first argument of `request` and of the functions in
 * `@caregate/api-client/service`. Reads are retried; requests that change something are sent once. Throws {@link
 * InvalidArgumentError} for invalid options.
 *
 * @example
 * const connection = connectService({ baseUrl: 'https://health.example', apiKey });
 * const { name, role } = await me(connection);
 */
export function connect(options: HealthDataClientOptions): Connection {
  // Take the key out of the options, so that only the closure of `authorize` has it.
  const {
    baseUrl,
    apiKey,
    headerName,
    authorize = createKeyAuthorizer(apiKey, headerName),
    transport = new FetchTransport(),
    timeoutMs = 30_000,
    attemptTimeoutMs,
    maxBodyBytes = 2 ** 25,
    headers,
    retries,
    clock = systemClock,
    ...settings
  } = options;
  return createConnection({
    ...settings,
    authorize,
    transport,
    clock,
    address: normalizeBaseUrl(baseUrl),
    timeoutMs: checkTimeout(timeoutMs),
    attemptTimeoutMs:
      attemptTimeoutMs === undefined
        ? undefined
        : checkTimeout(attemptTimeoutMs, 'attemptTimeoutMs'),
    maxBodyBytes: checkRange('maxBodyBytes', maxBodyBytes, 1),
    headers: { ...buildUserAgentHeader(), ...checkHeaders(headers) },
    retries: createRetryPolicy(retries),
  });
}

/** Keeps the key only in the returned closure, so that it can't be inspected. */
function createKeyAuthorizer(
  apiKey: HealthDataClientOptions['apiKey'],
  headerName = 'x-service-api-key',
): Authorize {
  const name = checkHeaderName(headerName, 'headerName');
  if (typeof apiKey === 'function') return async () => ({ [name]: checkKey(await apiKey()) });
  const key = checkKey(apiKey);
  return () => ({ [name]: key });
}

function checkKey(key: unknown): string {
  // The platform's error for an invalid header would quote the key. Callers in JavaScript may pass other types.
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key)) {
    const reason = key ? 'must be visible ASCII' : 'is missing';
    throw new InvalidArgumentError('apiKey', reason, undefined, 'API key');
  }
  return key;
}
