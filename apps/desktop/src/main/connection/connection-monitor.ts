interface ConnectionMonitorParts {
  readonly now: () => number;
  readonly isWatched: () => boolean;
  /** Sends a readiness request. Resolves to undefined if it was cancelled. Never throws. */
  readonly ask: () => Promise<boolean | undefined>;
  readonly onState: (state: 'online' | 'offline') => void;
  readonly random: () => number;
}

const second = 1000;
export const intervalMs = 15 * second;
const retryMs = 2 * second;
const maxIntervalMs = 60 * second;
const minIntervalMs = 2 * second;

/** Checks the service's readiness about every 15 seconds while a window is visible, and less often while the checks fail. */
export class ConnectionMonitor {
  readonly #parts: ConnectionMonitorParts;
  #nextAt = 0;
  #askedAt = -Infinity;
  #asking = false;
  #failures = 0;

  constructor(parts: ConnectionMonitorParts) {
    this.#parts = parts;
  }

  /** Call this about every second. */
  tick(): void {
    const { now, isWatched, ask } = this.#parts;
    if (this.#asking || now() < this.#nextAt || !isWatched()) return;
    this.#asking = true;
    this.#askedAt = now();
    void ask().then((answered) => {
      this.#asking = false;
      if (answered !== undefined) this.#note(answered);
    });
  }

  checkSoon(): void {
    this.#nextAt = Math.min(this.#nextAt, this.#askedAt + minIntervalMs);
    this.tick();
  }

  report(state: 'online' | 'offline'): void {
    this.#failures = state === 'online' ? 0 : Math.max(2, this.#failures);
    this.#scheduleNextCheck();
    this.#parts.onState(state);
  }

  #note(answered: boolean): void {
    this.#failures = answered ? 0 : this.#failures + 1;
    this.#scheduleNextCheck();
    if (answered) this.#parts.onState('online');
    else if (this.#failures >= 2) this.#parts.onState('offline');
  }

  /** The random part of 20 % keeps a clinic's desks from sending their requests at the same moment. */
  #scheduleNextCheck(): void {
    const { now, random } = this.#parts;
    const interval = Math.min(maxIntervalMs, intervalMs * 2 ** Math.max(0, this.#failures - 2));
    const delay = this.#failures === 1 ? retryMs : interval * (0.8 + 0.4 * random());
    this.#nextAt = now() + delay;
  }
}
