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

/** Call `tick` every second, and when the computer wakes. */
export class SessionTimer {
  readonly #parts: SessionTimerParts;
  /** When the person's session ends; undefined while nobody is signed in. */
  #endsAt: number | undefined;
  #activeAt = 0;
  #locked = false;
  #countdown: number | undefined;
  #minutesLeft: number | undefined;

  constructor(parts: SessionTimerParts) {
    this.#parts = parts;
  }

  /** `endsAt`: milliseconds since the epoch. */
  signedIn(endsAt: number): void {
    this.#endsAt = endsAt;
    this.#activeAt = this.#parts.now();
    this.#locked = false;
    this.#warn(undefined);
    this.#tellCountdown(undefined);
  }

  signedOut(): void {
    this.#endsAt = undefined;
    this.#warn(undefined);
    this.#tellCountdown(undefined);
  }

  locked(): void {
    this.#locked = true;
    this.#tellCountdown(undefined);
  }

  unlocked(): void {
    this.#locked = false;
    this.#activeAt = this.#parts.now();
  }

  /** Input in one of our windows; ignored while locked. */
  active(): void {
    // The first input after sleep must not outrun the lock.
    this.tick();
    if (this.#endsAt === undefined || this.#locked) return;
    this.#activeAt = this.#parts.now();
    this.#tellCountdown(undefined);
  }

  tick(): void {
    if (this.#endsAt === undefined) return;
    const now = this.#parts.now();
    const idle = now - this.#activeAt;
    const left = this.#endsAt - now;
    if (left <= 0) {
      this.signedOut();
      this.#parts.onSignOut();
      return;
    }
    if (left <= warnBefore) this.#warn(Math.ceil(left / minute));
    if (!this.#locked) this.#tickUnlocked(idle);
  }

  #tickUnlocked(idle: number): void {
    const untilLock = this.#parts.lockMinutes() * minute - idle;
    if (untilLock <= 0) {
      this.locked();
      this.#parts.onLock();
    } else {
      this.#tellCountdown(untilLock <= minute ? Math.ceil(untilLock / 1000) : undefined);
    }
  }

  #warn(minutesLeft: number | undefined): void {
    if (minutesLeft === this.#minutesLeft) return;
    this.#minutesLeft = minutesLeft;
    this.#parts.onSignOutSoon(minutesLeft);
  }

  #tellCountdown(seconds: number | undefined): void {
    if (seconds === this.#countdown) return;
    this.#countdown = seconds;
    this.#parts.onCountdown(seconds);
  }
}
