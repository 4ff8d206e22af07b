import { AbortError, InvalidArgumentError, TimeoutError } from './errors/call-errors.ts';

/** The longest that timers can wait; beyond it they fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws {@link InvalidArgumentError}. */
export function checkTimeout(timeoutMs: number): number {
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
    throw new InvalidArgumentError('timeoutMs', `must be from 1 to ${LONGEST_TIMEOUT_MS}`);
  }
  return timeoutMs;
}

/** Throws {@link AbortError} where the caller has given up. */
export function throwIfAborted(signal: AbortSignal | undefined, route: string): void {
  if (signal?.aborted === true) throw new AbortError(route, signal.reason);
}

/**
 * Runs `work` until it ends, the time is up or the caller aborts. Rejects at once in the latter two, even when `work`
 * ignores the signal it is given. Throws {@link TimeoutError}, {@link AbortError} and whatever `work` throws.
 */
export function withDeadline<T>(
  route: string,
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    throwIfAborted(caller, route);
    const controller = new AbortController();
    const giveUp = (error: TimeoutError | AbortError): void => {
      release();
      reject(error);
      controller.abort();
    };
    const onAbort = (): void => {
      giveUp(new AbortError(route, caller?.reason));
    };
    const timer = setTimeout(() => {
      giveUp(new TimeoutError(route, timeoutMs));
    }, timeoutMs);
    const release = (): void => {
      clearTimeout(timer);
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
