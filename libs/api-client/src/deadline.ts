import { AbortError, TimeoutError } from './errors/call-errors.ts';
import { checkRange } from './errors/check-arguments.ts';
import type { HealthDataError } from './errors/health-data-error.ts';
import type { Clock } from './resilience/clock.ts';

/** Longest delay of a timer. A longer one would fire immediately. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws {@link InvalidArgumentError}. */
export function checkTimeout(timeoutMs: number, name = 'timeoutMs'): number {
  return checkRange(name, timeoutMs, 1, LONGEST_TIMEOUT_MS);
}

export function throwIfAborted(signal: AbortSignal | undefined, route: string): void {
  if (signal?.aborted === true) throw new AbortError(route, signal.reason);
}

/**
 * Rejects on timeout with {@link TimeoutError} and on abort with {@link AbortError}, even if `work` ignores its
 * signal.
 */
export function withDeadline<T>(
  clock: Clock,
  route: string,
  timeoutMs: number | undefined,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  toAbortError = (signal: AbortSignal): HealthDataError => new AbortError(route, signal.reason),
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (callerSignal?.aborted === true) throw toAbortError(callerSignal);
    const controller = new AbortController();
    const giveUp = (error: HealthDataError): void => {
      release();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => {
      giveUp(toAbortError(callerSignal as AbortSignal));
    };
    const cancelTimer =
      timeoutMs === undefined
        ? undefined
        : clock.after(timeoutMs, () => {
            giveUp(new TimeoutError(route, timeoutMs));
          });
    const release = (): void => {
      cancelTimer?.();
      callerSignal?.removeEventListener('abort', onAbort);
    };
    callerSignal?.addEventListener('abort', onAbort, { once: true });
    const done = work(controller.signal);
    done.then(resolve, reject);
    done.then(release, () => {
      release();
      // After refusing a body, a transport may still hold the connection.
      controller.abort();
    });
  });
}
