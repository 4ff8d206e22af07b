import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';

interface SessionTimerParts {
  readonly now: () => number;
  readonly lockMinutes: () => number;
  readonly onCountdown: (seconds: number | undefined) => void;
  readonly onLock: () => void;
  readonly onSignOutSoon: (minutes: number) => void;
  readonly onSignOut: (reason: 'idle' | 'limit') => void;
}

const minute = 60_000;
/** For keys; a person's session stays while locked. */
const signOutAfterIdle = 15 * minute;
const longestSignIn = LONGEST_SIGN_IN_HOURS * 60 * minute;
const warnBefore = 10 * minute;

/** Call `tick` every second, and when the computer wakes. */
export class SessionTimer {
  readonly #parts: SessionTimerParts;
  #signedInAt: number | undefined;
  /** End of a person's session, which stays while locked; a key is signed out instead. */
  #endsAt: number | undefined;
  #activeAt = 0;
  #locked = false;
  #countdown: number | undefined;
  #minutesLeft: number | undefined;

  constructor(parts: SessionTimerParts) {
    this.#parts = parts;
  }

  /** `endsAt`: milliseconds since the epoch; undefined for a key. */
  signedIn(endsAt?: number): void {
    this.#signedInAt = this.#parts.now();
    this.#endsAt = endsAt;
    this.#activeAt = this.#signedInAt;
    this.#locked = false;
    this.#minutesLeft = undefined;
    this.#tellCountdown(undefined);
  }

  signedOut(): void {
    this.#signedInAt = undefined;
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
    if (this.#signedInAt === undefined || this.#locked) return;
    this.#activeAt = this.#parts.now();
    this.#tellCountdown(undefined);
  }

  tick(): void {
    if (this.#signedInAt === undefined) return;
    const now = this.#parts.now();
    const idle = now - this.#activeAt;
    const left = (this.#endsAt ?? this.#signedInAt + longestSignIn) - now;
    if (left <= 0 || (this.#endsAt === undefined && idle >= signOutAfterIdle)) {
      this.signedOut();
      this.#parts.onSignOut(left <= 0 ? 'limit' : 'idle');
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

  #warn(minutesLeft: number): void {
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
