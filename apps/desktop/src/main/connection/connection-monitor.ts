interface ConnectionMonitorParts {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Whether somebody is signed in, and can see it. */
  readonly isWatched: () => boolean;
  /** Whether the service is ready; undefined where the request was cancelled. Never throws. */
  readonly ask: () => Promise<boolean | undefined>;
  readonly onState: (state: 'online' | 'offline') => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

const second = 1000;
export const intervalMs = 15 * second;
/** A single failed request is retried after this before the connection counts as lost. */
const retryMs = 2 * second;
const maxIntervalMs = 60 * second;
/** Minimum time between two requests. */
const minIntervalMs = 2 * second;

/**
 * Polls the service's readiness: about every fifteen seconds while a window is visible, with a growing interval while
 * it fails. One request at a time. It doesn't count as activity of the user.
 */
export class ConnectionMonitor {
  readonly #parts: ConnectionMonitorParts;
  #nextAt = 0;
  #askedAt = -Infinity;
  #asking = false;
  /** Consecutive ones. */
  #failures = 0;

  constructor(parts: ConnectionMonitorParts) {
    this.#parts = parts;
  }

  /** To be called about every second. */
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

  /** A window came to the front, the network changed, the computer woke: polls after the minimum time. */
  checkSoon(): void {
    this.#nextAt = Math.min(this.#nextAt, this.#askedAt + minIntervalMs);
    this.tick();
  }

  /** The result of an ordinary call, which is newer than the last poll. */
  report(state: 'online' | 'offline'): void {
    this.#failures = state === 'online' ? 0 : Math.max(2, this.#failures);
    this.#wait();
    this.#parts.onState(state);
  }

  #note(answered: boolean): void {
    this.#failures = answered ? 0 : this.#failures + 1;
    this.#wait();
    if (answered) this.#parts.onState('online');
    else if (this.#failures >= 2) this.#parts.onState('offline');
  }

  /** With 20 % jitter: the desks of a clinic must not all poll at once when the service is back. */
  #wait(): void {
    const { now, random } = this.#parts;
    const round = Math.min(maxIntervalMs, intervalMs * 2 ** Math.max(0, this.#failures - 2));
    const wait = this.#failures === 1 ? retryMs : round * (0.8 + 0.4 * random());
    this.#nextAt = now() + wait;
  }
}
