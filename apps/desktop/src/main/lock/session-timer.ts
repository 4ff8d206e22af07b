import { LONGEST_SIGN_IN_HOURS } from '@caregate/domain';

interface SessionTimerParts {
  /** Milliseconds since the epoch: the wall clock, which goes on while the computer sleeps. */
  readonly now: () => number;
  readonly lockMinutes: () => number;
  readonly onCountdown: (seconds: number | undefined) => void;
  readonly onLock: () => void;
  readonly onSignOutSoon: (minutes: number) => void;
  readonly onSignOut: (reason: 'idle' | 'limit') => void;
}

const minute = 60_000;
/** Sign-out after idle minutes, and at the end of the longest sign-in in any case, with a warning before. */
const signOutAfterIdle = 15 * minute;
const longestSignIn = LONGEST_SIGN_IN_HOURS * 60 * minute;
const warnBefore = 10 * minute;

/** Idle lock and session timeouts of one sign-in. Call `tick` every second, and when the computer wakes. */
export class SessionTimer {
  readonly #parts: SessionTimerParts;
  #signedInAt: number | undefined;
  /** Of a person's session, which stays while the desk is locked; a key is signed out instead. */
  #endsAt: number | undefined;
  #activeAt = 0;
  #locked = false;
  #countdown: number | undefined;
  #minutesLeft: number | undefined;

  constructor(parts: SessionTimerParts) {
    this.#parts = parts;
  }

  /** `endsAt`, in milliseconds since the epoch, is given for a person, who has a session that ends there. */
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

  /** A key, a click, a move of the mouse in one of our windows. While it is locked, it counts for nothing. */
  active(): void {
    // Activity that comes first after a sleep must not outrun the lock.
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

  /** Once a minute, so that the number shown stays right. */
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
