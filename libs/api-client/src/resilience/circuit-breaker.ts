import { CircuitOpenError } from '../errors/call-errors.ts';
import { checkRange } from '../errors/check-arguments.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';

export interface CircuitBreakerOptions {
  /** Number of latest outcomes to consider; 20 by default. */
  readonly window?: number | undefined;
  /** Milliseconds after which an outcome is discarded; 10,000 by default. */
  readonly windowMs?: number | undefined;
  /** Minimum number of outcomes before the circuit may open; 10 by default. */
  readonly minimum?: number | undefined;
  /** Share of failures that opens the circuit; 0.5 by default. */
  readonly failureRatio?: number | undefined;
  /** Milliseconds until an open circuit becomes half-open; 5,000 by default. */
  readonly openMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface CircuitCounts {
  readonly succeeded: number;
  readonly failed: number;
  readonly refused: number;
  readonly opened: number;
}

/** Outcome of a call after its retries. `given-up` says nothing about the service's health. */
export type CircuitOutcome = 'succeeded' | 'failed' | 'given-up';

/**
 * Opens when too many of the latest calls failed after all their retries (no response, timeout, status 500 and
 * above). While open, calls reject immediately with CircuitOpenError. After `openMs`, one call at a time may close or
 * reopen it. Several clients of a service can share one circuit breaker.
 *
 * @example
 * const circuitBreaker = new CircuitBreaker({ openMs: 10_000 });
 * const client = new HealthDataClient({ baseUrl, apiKey, circuitBreaker });
 */
export class CircuitBreaker {
  readonly #window: number;
  readonly #windowMs: number;
  readonly #minimum: number;
  readonly #failureRatio: number;
  readonly #openMs: number;
  readonly #clock: Clock;
  #outcomes: { at: number; failed: boolean }[] = [];
  #openUntil: number | undefined;
  #probing = false;
  /** Number of state changes. The outcome of a call that started before a change is ignored. */
  #generation = 0;
  #counts = { succeeded: 0, failed: 0, refused: 0, opened: 0 };

  constructor(options: CircuitBreakerOptions = {}) {
    this.#window = checkRange('window', options.window ?? 20, 1);
    this.#windowMs = checkRange('windowMs', options.windowMs ?? 10_000, 1);
    this.#minimum = checkRange('minimum', options.minimum ?? 10, 1, this.#window);
    this.#failureRatio = checkRange('failureRatio', options.failureRatio ?? 0.5, 0.01, 1);
    this.#openMs = checkRange('openMs', options.openMs ?? 5000, 1);
    this.#clock = options.clock ?? systemClock;
  }

  get state(): CircuitState {
    if (this.#openUntil === undefined) return 'closed';
    return this.#clock.now() < this.#openUntil ? 'open' : 'half-open';
  }

  get counts(): CircuitCounts {
    return { ...this.#counts };
  }

  /** Admits a call. Call the returned function once, when the call has ended. Throws {@link CircuitOpenError}. */
  enter(route: string): (outcome: CircuitOutcome) => void {
    const state = this.state;
    if (state === 'open' || (state === 'half-open' && this.#probing)) {
      this.#counts.refused += 1;
      const waitMs = Math.max(0, (this.#openUntil ?? 0) - this.#clock.now());
      throw new CircuitOpenError(route, Math.ceil(waitMs / 1000));
    }
    this.#probing = state === 'half-open';
    const generation = this.#generation;
    return (outcome) => {
      this.#record(generation, outcome);
    };
  }

  #record(generation: number, outcome: CircuitOutcome): void {
    if (outcome !== 'given-up') this.#counts[outcome] += 1;
    if (generation !== this.#generation) return;
    if (this.#probing) {
      this.#probing = false;
      if (outcome === 'succeeded') this.#change(undefined);
      if (outcome === 'failed') this.#open();
      return;
    }
    if (outcome === 'given-up') return;
    const now = this.#clock.now();
    this.#outcomes = [...this.#outcomes, { at: now, failed: outcome === 'failed' }]
      .filter(({ at }) => now - at < this.#windowMs)
      .slice(-this.#window);
    const failures = this.#outcomes.filter(({ failed }) => failed).length;
    const { length } = this.#outcomes;
    if (length >= this.#minimum && failures >= this.#failureRatio * length) this.#open();
  }

  #open(): void {
    this.#counts.opened += 1;
    this.#change(this.#clock.now() + this.#openMs);
  }

  #change(openUntil: number | undefined): void {
    this.#openUntil = openUntil;
    this.#outcomes = [];
    this.#generation += 1;
  }
}
