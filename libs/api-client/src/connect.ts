import { baseAddress, checkHeaderName } from './address.ts';
import type { AttemptHooks } from './attempt.ts';
import { callerOf } from './call.ts';
import type { Call } from './call.ts';
import { checkTimeout } from './deadline.ts';
import { InvalidArgumentError } from './errors/call-errors.ts';
import type { ResponseValidation } from './read-answer.ts';
import type { CircuitBreaker } from './resilience/circuit-breaker.ts';
import { systemClock } from './resilience/clock.ts';
import type { Clock } from './resilience/clock.ts';
import type { Hedging } from './resilience/hedging.ts';
import { retryPolicyOf } from './resilience/retries.ts';
import type { RetryOptions } from './resilience/retries.ts';
import { FetchTransport } from './transport/fetch.transport.ts';
import type { Transport } from './transport/transport.ts';

export interface HealthDataClientOptions {
  /** http or https, with a path prefix if there is one; no query, fragment, user name or password. */
  readonly baseUrl: string;
  /** The team's key. Not readable again from the client. */
  readonly apiKey: string;
  /** `fetch` of the platform unless given. */
  readonly transport?: Transport | undefined;
  /** Milliseconds until a whole answer must be read, retries and waits included; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds until the answer to one request must be read; no limit of its own unless given. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Most bytes of an answer's body, after decompression; 32 MiB unless given. */
  readonly maxBodyBytes?: number | undefined;
  /** Request header of the key; `x-service-api-key` unless given. */
  readonly headerName?: string | undefined;
  /** How failures that pass are tried again; `false` for never. */
  readonly retries?: false | RetryOptions | undefined;
  /** Refuses calls at once while the service fails. */
  readonly circuitBreaker?: CircuitBreaker | undefined;
  /** Sends slow requests a second time. */
  readonly hedging?: Hedging | undefined;
  /** Told of each request. */
  readonly hooks?: AttemptHooks | undefined;
  /** Holds answers against the whole interface; made by `@caregate/api-client/validate`. */
  readonly validation?: ResponseValidation | undefined;
  /** Time and chance, for tests. */
  readonly clock?: Clock | undefined;
}

/** What the functions of single operations, such as `resolveUser`, take first. */
export type Connection = Call;

/**
 * For bundles that must hold the operations alone that they use; {@link HealthDataClient} has all of them. Throws
 * {@link InvalidArgumentError} for options that cannot work.
 */
export function connect(options: HealthDataClientOptions): Connection {
  const { attemptTimeoutMs } = options;
  return callerOf({
    address: baseAddress(options.baseUrl),
    apiKey: checkedKey(options.apiKey),
    headerName: checkHeaderName(options.headerName ?? 'x-service-api-key', 'headerName'),
    transport: options.transport ?? new FetchTransport(),
    timeoutMs: checkTimeout(options.timeoutMs ?? 30_000),
    attemptTimeoutMs:
      attemptTimeoutMs === undefined
        ? undefined
        : checkTimeout(attemptTimeoutMs, 'attemptTimeoutMs'),
    maxBodyBytes: checkedSize(options.maxBodyBytes ?? 32 * 1024 * 1024),
    retries: retryPolicyOf(options.retries),
    circuitBreaker: options.circuitBreaker,
    hedging: options.hedging,
    hooks: options.hooks,
    validation: options.validation,
    clock: options.clock ?? systemClock,
  });
}

/** Here and not in the platform, whose complaint about a bad header quotes it. */
function checkedKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new InvalidArgumentError('apiKey', 'must be visible ASCII characters, without spaces');
  }
  return apiKey;
}

function checkedSize(bytes: unknown): number {
  if (!Number.isSafeInteger(bytes) || (bytes as number) < 1) {
    throw new InvalidArgumentError('maxBodyBytes', 'must be a whole number of at least 1');
  }
  return bytes as number;
}
