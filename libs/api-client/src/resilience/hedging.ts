import { AbortError, CircuitOpenError, InvalidArgumentError } from '../errors/call-errors.ts';
import type { Clock } from './clock.ts';
import { retryReasonOf } from './retries.ts';
import type { RetryBudget } from './retry-budget.ts';

export interface HedgingOptions {
  /** Answers of an operation that must have been timed before its first hedge; 20. */
  readonly minimumSamples?: number | undefined;
  /** Share of answers that come without a second request; 0.95. */
  readonly quantile?: number | undefined;
  /** Least milliseconds to wait for the first request; 10. */
  readonly leastMs?: number | undefined;
}

export interface HedgingCounts {
  /** Second requests sent. */
  readonly sent: number;
  /** Of these, those that answered first. */
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

/** Latest durations kept of each operation. */
const SAMPLES = 100;

/**
 * Sends a second request where the first takes longer than 95 of 100 of the operation's latest, and takes whichever
 * answers first; the other is given up. Second requests are paid from the retry budget.
 */
export class Hedging {
  readonly #minimumSamples: number;
  readonly #quantile: number;
  readonly #leastMs: number;
  readonly #durations = new Map<string, number[]>();
  #counts = { sent: 0, won: 0 };

  constructor(options: HedgingOptions = {}) {
    const { minimumSamples = 20, quantile = 0.95, leastMs = 10 } = options;
    if (!(quantile > 0 && quantile <= 1)) {
      throw new InvalidArgumentError('quantile', 'must be above 0 and at most 1');
    }
    if (!(minimumSamples >= 1 && minimumSamples <= SAMPLES)) {
      throw new InvalidArgumentError('minimumSamples', `must be from 1 to ${SAMPLES}`);
    }
    if (!(leastMs >= 0)) throw new InvalidArgumentError('leastMs', 'must be 0 or more');
    this.#minimumSamples = minimumSamples;
    this.#quantile = quantile;
    this.#leastMs = leastMs;
  }

  get counts(): HedgingCounts {
    return { ...this.#counts };
  }

  /** Milliseconds until a second request; undefined while too few answers were timed. */
  delayMs(operation: string): number | undefined {
    const sorted = [...(this.#durations.get(operation) ?? [])].sort((a, b) => a - b);
    if (sorted.length < this.#minimumSamples) return undefined;
    return Math.max(this.#leastMs, sorted[Math.ceil(this.#quantile * sorted.length) - 1] ?? 0);
  }

  /** Rejects as `send` does: with the first failure that a retry would not mend, or the last of all. */
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
            // From the first request on, also where the second won, so that the p95 does not sink by hedging.
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
