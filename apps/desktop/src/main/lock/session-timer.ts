interface SessionTimerParts {
  readonly now: () => number;
  readonly lockMinutes: () => number;
  readonly onCountdown: (seconds: number | undefined) => void;
  readonly onLock: () => void;
  readonly onSignOutSoon: (minutes: number | undefined) => void;
  readonly onSignOut: () => void;
}

const minute = 60_000;
const warnBefore = 10 * minute;

/**
 * Locks an idle desk, and signs the user out at the end of the session. Call `tick` every second and when the computer
 * wakes.
 */
export class SessionTimer {
  readonly #parts: SessionTimerParts;
  /** When the user's session ends; undefined while nobody is signed in. */
  #endsAt: number | undefined;
  #activeAt = 0;
  #locked = false;
  #countdown: number | undefined;
  #minutesLeft: number | undefined;

  constructor(parts: SessionTimerParts) {
    this.#parts = parts;
  }

  /** `endsAt` is in milliseconds since the epoch. */
  startSession(endsAt: number): void {
    this.#endsAt = endsAt;
    this.#activeAt = this.#parts.now();
    this.#locked = false;
    this.#warn(undefined);
    this.#setCountdown(undefined);
  }

  endSession(): void {
    this.#endsAt = undefined;
    this.#warn(undefined);
    this.#setCountdown(undefined);
  }

  lock(): void {
    this.#locked = true;
    this.#setCountdown(undefined);
  }

  /** Call this for each input in a window of the desktop. It has no effect while the desk is locked. */
  noteActivity(): void {
    // The first input after a sleep must not prevent a lock that is overdue.
    this.tick();
    if (this.#endsAt === undefined || this.#locked) return;
    this.#activeAt = this.#parts.now();
    this.#setCountdown(undefined);
  }

  tick(): void {
    if (this.#endsAt === undefined) return;
    const now = this.#parts.now();
    const idleMs = now - this.#activeAt;
    const remainingMs = this.#endsAt - now;
    if (remainingMs <= 0) {
      this.endSession();
      this.#parts.onSignOut();
      return;
    }
    if (remainingMs <= warnBefore) this.#warn(Math.ceil(remainingMs / minute));
    if (!this.#locked) this.#checkIdle(idleMs);
  }

  #checkIdle(idleMs: number): void {
    const untilLock = this.#parts.lockMinutes() * minute - idleMs;
    if (untilLock <= 0) {
      this.lock();
      this.#parts.onLock();
    } else {
      this.#setCountdown(untilLock <= minute ? Math.ceil(untilLock / 1000) : undefined);
    }
  }

  #warn(minutesLeft: number | undefined): void {
    if (minutesLeft === this.#minutesLeft) return;
    this.#minutesLeft = minutesLeft;
    this.#parts.onSignOutSoon(minutesLeft);
  }

  #setCountdown(seconds: number | undefined): void {
    if (seconds === this.#countdown) return;
    this.#countdown = seconds;
    this.#parts.onCountdown(seconds);
  }
}
