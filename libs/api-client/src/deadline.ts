import { AbortError, InvalidArgumentError, TimeoutError } from './errors/call-errors.ts';
import type { HealthDataError } from './errors/health-data-error.ts';
import type { Clock } from './resilience/clock.ts';

/** The longest that timers can wait; beyond it they fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws {@link InvalidArgumentError}. */
export function checkTimeout(timeoutMs: number, name = 'timeoutMs'): number {
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
    throw new InvalidArgumentError(name, `must be from 1 to ${LONGEST_TIMEOUT_MS}`);
  }
  return timeoutMs;
}

/** Throws {@link AbortError} where the caller has given up. */
export function throwIfAborted(signal: AbortSignal | undefined, route: string): void {
  if (signal?.aborted === true) throw new AbortError(route, signal.reason);
}

/**
 * Runs `work` until it ends, the time (if there is a limit) is up or the caller aborts. Rejects at once in the latter
 * two, even when `work` ignores the signal it is given, whose reason is then this error, so that what runs in there
 * names it too. Throws {@link TimeoutError}, {@link AbortError} and whatever `work` throws.
 */
export function withDeadline<T>(
  clock: Clock,
  route: string,
  timeoutMs: number | undefined,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  abortedBy = (signal: AbortSignal): HealthDataError => new AbortError(route, signal.reason),
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (caller?.aborted === true) throw abortedBy(caller);
    const controller = new AbortController();
    const giveUp = (error: HealthDataError): void => {
      release();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => {
      if (caller !== undefined) giveUp(abortedBy(caller));
    };
    const cancelTimer =
      timeoutMs === undefined
        ? undefined
        : clock.after(timeoutMs, () => {
            giveUp(new TimeoutError(route, timeoutMs));
          });
    const release = (): void => {
      cancelTimer?.();
      caller?.removeEventListener('abort', onAbort);
    };
    caller?.addEventListener('abort', onAbort, { once: true });
    const done = work(controller.signal);
    done.then(resolve, reject);
    done
      .catch(() => {
        // A transport that refused a body may still hold the connection.
        controller.abort();
      })
      .finally(release);
  });
}
