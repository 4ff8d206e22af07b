interface ConnectionMonitorParts {
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Whether somebody is signed in, and can see it. */
  readonly isWatched: () => boolean;
  /** Whether the service can answer now; undefined where the question was dropped. Never throws. */
  readonly ask: () => Promise<boolean | undefined>;
  readonly onState: (state: 'online' | 'offline') => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

const second = 1000;
export const intervalMs = 15 * second;
/** One answer that doesn't come may be chance: it is asked again so soon before it is believed. */
const retryMs = 2 * second;
const maxIntervalMs = 60 * second;
/** However often a window comes to the front. */
const minIntervalMs = 2 * second;

/**
 * Asks the service whether it is there: about every fifteen seconds while somebody can see the answer, and more
 * seldom the longer it isn't. One question at a time. It knows nothing of the idle clocks.
 */
export class ConnectionMonitor {
  readonly #parts: ConnectionMonitorParts;
  #nextAt = 0;
  #askedAt = -Infinity;
  #asking = false;
  /** In a row. */
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

  /** A window came to the front, the network changed, the computer woke: asked as soon as may be. */
  checkSoon(): void {
    this.#nextAt = Math.min(this.#nextAt, this.#askedAt + minIntervalMs);
    this.tick();
  }

  /** What a call of somebody's told: it is newer than what was asked here. */
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

  /** A fifth longer or shorter each time: the desks of a clinic don't come all at once when the service is back. */
  #wait(): void {
    const { now, random } = this.#parts;
    const round = Math.min(maxIntervalMs, intervalMs * 2 ** Math.max(0, this.#failures - 2));
    const wait = this.#failures === 1 ? retryMs : round * (0.8 + 0.4 * random());
    this.#nextAt = now() + wait;
  }
}
