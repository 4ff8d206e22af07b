import { HealthDataApiError } from '../errors/api-errors.ts';
import { NetworkError, TimeoutError } from '../errors/call-errors.ts';
import { checkRange } from '../errors/check-arguments.ts';
import type { Clock } from './clock.ts';
import { pause } from './clock.ts';
import { RetryBudget } from './retry-budget.ts';

/** Options for retries. Only reads are retried. */
export interface RetryOptions {
  /** Maximum number of requests in a call, including the first; 3 by default. */
  readonly attempts?: number | undefined;
  /** Maximum delay in milliseconds before the first retry, which doubles with each further one; 200 by default. */
  readonly baseMs?: number | undefined;
  /** Upper limit of the delay in milliseconds; 5,000 by default. The server's `Retry-After` can be longer. */
  readonly capMs?: number | undefined;
  /** Size of the retry budget, the number of extra requests during an outage; 10 by default. */
  readonly budgetTokens?: number | undefined;
  /** Budget added by each successful call; 0.1 by default. */
  readonly budgetRatio?: number | undefined;
}

/** Retry options of one call. The budget is always the client's. */
export type CallRetryOptions = Pick<RetryOptions, 'attempts' | 'baseMs' | 'capMs'>;

export interface RetryPolicy {
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly budget: RetryBudget;
}

export type RetryReason = 'network' | 'timeout' | 'rate-limited' | 'unavailable';

const DEFAULTS = { attempts: 3, baseMs: 200, capMs: 5000, budget: undefined };

/**
 * Returns the retry policy of a client, or of one call of the client that has `policy`. Throws {@link
 * InvalidArgumentError}.
 */
export function createRetryPolicy(
  options: false | RetryOptions = {},
  policy: RetryPolicy | typeof DEFAULTS = DEFAULTS,
): RetryPolicy {
  const {
    attempts = policy.attempts,
    baseMs = policy.baseMs,
    capMs = policy.capMs,
    budgetTokens = 10,
    budgetRatio = 0.1,
  } = options === false ? { attempts: 1 } : options;
  const numbers = { attempts, baseMs, capMs, budgetTokens, budgetRatio };
  for (const [name, value] of Object.entries(numbers)) {
    checkRange(`retries.${name}`, value, name === 'attempts' ? 1 : 0);
  }
  const { budget = new RetryBudget(budgetTokens, budgetRatio) } = policy;
  return { ...numbers, budget };
}

/**
 * Returns a delay in milliseconds: exponential backoff with full jitter. `attempt` is the number of the failed
 * request, starting at 1.
 */
export function computeBackoffMs(
  policy: Pick<RetryPolicy, 'baseMs' | 'capMs'>,
  attempt: number,
  random: number,
): number {
  // 0 times infinity is NaN.
  return random * Math.min(policy.capMs, policy.baseMs * 2 ** Math.min(attempt - 1, 40));
}

/** Returns undefined for permanent failures. */
export function findRetryReason(error: unknown): RetryReason | undefined {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof NetworkError) {
    // Certificate errors are permanent.
    return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS/.test(error.code ?? '')
      ? undefined
      : 'network';
  }
  if (!(error instanceof HealthDataApiError)) return undefined;
  switch (error.status) {
    case 429:
      return 'rate-limited';
    case 502:
    case 503:
    case 504:
      return 'unavailable';
    default:
      return undefined;
  }
}

export interface RetryParts {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

/**
 * Retries until attempts, budget or time are used up, then throws the last failure. Doesn't wait beyond the deadline.
 */
export async function withRetries<T>(
  parts: RetryParts,
  send: (attempt: number, reason: RetryReason | undefined) => Promise<T>,
): Promise<T> {
  const { policy, clock, signal } = parts;
  let reason: RetryReason | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await send(attempt, reason);
      policy.budget.earn();
      return answer;
    } catch (error) {
      reason = findRetryReason(error);
      if (reason === undefined || signal.aborted || attempt >= policy.attempts) throw error;
      // Adds jitter to Retry-After, so that clients don't all return at the same time.
      const waitMs = getRetryAfterMs(error) + computeBackoffMs(policy, attempt, clock.random());
      if (clock.now() + waitMs >= parts.deadlineAt || !policy.budget.spend()) throw error;
      await pause(clock, waitMs, signal);
    }
  }
}

function getRetryAfterMs(error: unknown): number {
  return error instanceof HealthDataApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}
