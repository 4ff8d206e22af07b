import { AbortError, CircuitOpenError } from '../errors/call-errors.ts';
import { checkRange } from '../errors/check-arguments.ts';
import type { Clock } from './clock.ts';
import { retryReasonOf } from './retries.ts';
import type { RetryBudget } from './retry-budget.ts';

export interface HedgingOptions {
  /** Minimum number of measured responses of an operation before it is hedged; default 20. */
  readonly minimumSamples?: number | undefined;
  /** Quantile of the response times after which a second request is sent; default 0.95. */
  readonly quantile?: number | undefined;
  /** Minimum delay in milliseconds before the second request; default 10. */
  readonly leastMs?: number | undefined;
}

export interface HedgingCounts {
  /** Number of second requests. */
  readonly sent: number;
  /** Number of second requests that were faster. */
  readonly won: number;
}

export interface RaceParts<T> {
  readonly operation: string;
  readonly route: string;
  readonly clock: Clock;
  readonly budget: RetryBudget;
  readonly signal: AbortSignal;
  readonly send: (signal: AbortSignal, hedge: boolean) => Promise<T>;
}

/** Number of latest durations kept per operation. */
const SAMPLES = 100;

/**
 * Sends a second request if the first takes longer than 95 % of the latest requests of the operation, and uses the first
 * response; the other request is aborted. Second requests count against the retry budget.
 */
export class Hedging {
  readonly #minimumSamples: number;
  readonly #quantile: number;
  readonly #leastMs: number;
  readonly #durations = new Map<string, number[]>();
  #counts = { sent: 0, won: 0 };

  constructor(options: HedgingOptions = {}) {
    const { minimumSamples = 20, quantile = 0.95, leastMs = 10 } = options;
    this.#minimumSamples = checkRange('minimumSamples', minimumSamples, 1, SAMPLES);
    this.#quantile = checkRange('quantile', quantile, 0.01, 1);
    this.#leastMs = checkRange('leastMs', leastMs, 0);
  }

  get counts(): HedgingCounts {
    return { ...this.#counts };
  }

  /** Delay in milliseconds before a second request; undefined while there are too few measurements. */
  delayMs(operation: string): number | undefined {
    const sorted = [...(this.#durations.get(operation) ?? [])].sort((a, b) => a - b);
    if (sorted.length < this.#minimumSamples) return undefined;
    return Math.max(this.#leastMs, sorted[Math.ceil(this.#quantile * sorted.length) - 1] ?? 0);
  }

  /** Rejects like `send`: with the first permanent failure, or the last transient one. */
  race<T>({ operation, route, clock, budget, signal, send }: RaceParts<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const startedAt = clock.now();
      const delayMs = this.delayMs(operation);
      let open = 0;
      const onAbort = (): void => {
        settle(signal.reason);
        reject(signal.reason as Error);
      };
      const settle = (reason: unknown): void => {
        cancel?.();
        signal.removeEventListener('abort', onAbort);
        controller.abort(reason);
      };
      const start = (hedge: boolean): void => {
        open += 1;
        const pending = send(controller.signal, hedge);
        pending.then(
          (answer) => {
            if (controller.signal.aborted) return;
            // Measured from the first request, even if the second was faster, so that hedging does not lower the quantile.
            this.#time(operation, clock.now() - startedAt);
            if (hedge) this.#counts.won += 1;
            settle(new AbortError(route, 'another request answered first'));
            resolve(answer);
          },
          (error: unknown) => {
            open -= 1;
            const spared = error instanceof CircuitOpenError || retryReasonOf(error) !== undefined;
            if (open > 0 && spared) return;
            settle(new AbortError(route, 'another request failed for good'));
            // Rejects with the same error.
            resolve(pending);
          },
        );
      };
      const cancel =
        delayMs === undefined
          ? undefined
          : clock.after(delayMs, () => {
              if (!budget.spend()) return;
              this.#counts.sent += 1;
              start(true);
            });
      signal.addEventListener('abort', onAbort, { once: true });
      start(false);
    });
  }

  #time(operation: string, ms: number): void {
    const durations = this.#durations.get(operation) ?? [];
    this.#durations.set(operation, [...durations.slice(1 - SAMPLES), ms]);
  }
}
