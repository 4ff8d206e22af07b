import { pauseMs } from '../screens/find/pace.ts';

/** A key, as the page got it. */
export interface TypedKey {
  readonly key: string;
  /** Milliseconds, by the clock of the keys. */
  readonly at: number;
  readonly isRepeat: boolean;
  /** With Ctrl, Alt or the like. */
  readonly isChord: boolean;
  /** Whether it came where letters mean nothing: in no field, list, menu or dialog. */
  readonly isOutside: boolean;
}

/** A code that a scanner was held up in goes on within this. */
export const heldUpMs = 450;

/**
 * Letters typed outside a field, held back until they can't be a scanner's. `after` is how long to wait from the last
 * key before they are taken by `take`.
 */
export class TypeAhead {
  #letters = '';
  #last = -Infinity;
  #fast = 0;

  /** Milliseconds to wait for another key; undefined where nothing is held. */
  add({ key, at, isRepeat, isChord, isOutside }: TypedKey): number | undefined {
    if (key === 'Shift' || key === 'CapsLock') return this.#after();
    const isLetter = /^\p{L}$/u.test(key) && !isChord && !isRepeat && isOutside;
    // Part of a code, where letters came before it; alone it begins nothing.
    const isFast = at - this.#last < pauseMs;
    this.#last = at;
    this.#fast = isFast ? this.#fast + 1 : 0;
    if (!isLetter) {
      this.#letters = '';
      return undefined;
    }
    this.#letters += key;
    return this.#after();
  }

  /** What was typed, given out once. */
  take(): string {
    const letters = this.#letters;
    this.#letters = '';
    return letters;
  }

  #after(): number | undefined {
    if (this.#letters === '') return undefined;
    return this.#fast >= 2 ? heldUpMs : pauseMs;
  }
}
