import { HealthDataApiError } from '../errors/api-errors.ts';
import {
  CircuitOpenError,
  InvalidArgumentError,
  NetworkError,
  TimeoutError,
} from '../errors/call-errors.ts';
import type { Clock } from './clock.ts';
import { pause } from './clock.ts';
import { RetryBudget } from './retry-budget.ts';

/** Each has its default; every operation is a read, so that sending it again is safe. */
export interface RetryOptions {
  /** Most requests of a call, the first counted; 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds that the first wait is at most; doubled for each one after; 200. */
  readonly baseMs?: number | undefined;
  /** Milliseconds that no wait of ours exceeds; 5,000. A server's `Retry-After` may ask for longer. */
  readonly capMs?: number | undefined;
  /** Extra requests that the client may send in an outage before calls succeed again; 10. */
  readonly budgetTokens?: number | undefined;
  /** Extra requests that each call that succeeds allows for; 0.1. */
  readonly budgetRatio?: number | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly budget: RetryBudget;
}

/** Why a request is sent after the first one of a call. */
export type RetryReason = 'network' | 'timeout' | 'rate-limited' | 'unavailable' | 'hedge';

/** Throws {@link InvalidArgumentError}. */
export function retryPolicyOf(options: false | RetryOptions = {}): RetryPolicy {
  const given = options === false ? { attempts: 1 } : options;
  const { attempts = 3, baseMs = 200, capMs = 5000, budgetTokens = 10, budgetRatio = 0.1 } = given;
  const numbers = { attempts, baseMs, capMs, budgetTokens, budgetRatio };
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === 'attempts' ? 1 : 0;
    // By typeof too: options also come from JavaScript.
    if (typeof value !== 'number' || !(value >= least && value <= 1e9)) {
      throw new InvalidArgumentError(`retries.${name}`, `must be a number of at least ${least}`);
    }
  }
  return { attempts, baseMs, capMs, budget: new RetryBudget(budgetTokens, budgetRatio) };
}

/** Full jitter: anything from 0 to the doubled base or the cap. `attempt` is the one that failed, from 1. */
export function backoffMs(
  policy: Pick<RetryPolicy, 'baseMs' | 'capMs'>,
  attempt: number,
  random: number,
): number {
  // 0 times infinity is no number.
  return random * Math.min(policy.capMs, policy.baseMs * 2 ** Math.min(attempt - 1, 40));
}

/** Undefined for what another try would not mend. */
export function retryReasonOf(error: unknown): RetryReason | undefined {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof NetworkError) {
    // A certificate that is not trusted now is not trusted in a second.
    return /CERT|SELF_SIGNED|^ERR_TLS/.test(error.code ?? '') ? undefined : 'network';
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
  /** On the clock; read anew each time, since callers who join a shared call move it. */
  readonly deadlineAt: () => number;
}

/**
 * Runs `send` until it succeeds, fails for good, or neither attempts, budget nor time are left; throws its last
 * failure then. A wait that the deadline would cut short is not begun.
 */
export async function withRetries<T>(
  parts: RetryParts,
  send: (attempt: number, reason: RetryReason | undefined) => Promise<T>,
): Promise<T> {
  const { policy, clock, signal } = parts;
  let reason: RetryReason | undefined;
  let last: Error | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await send(attempt, reason);
      policy.budget.earn();
      return answer;
    } catch (error) {
      // Why the service failed says more than that it is spared now.
      if (last !== undefined && error instanceof CircuitOpenError) throw last;
      last = error as Error;
      reason = retryReasonOf(error);
      if (reason === undefined || signal.aborted || attempt >= policy.attempts) throw error;
      // On top of what the server asks for, so that its clients do not all return at that moment.
      const waitMs = askedWaitMs(error) + backoffMs(policy, attempt, clock.random());
      if (clock.now() + waitMs >= parts.deadlineAt() || !policy.budget.spend()) throw error;
      await pause(clock, waitMs, signal);
    }
  }
}

function askedWaitMs(error: unknown): number {
  return error instanceof HealthDataApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}
