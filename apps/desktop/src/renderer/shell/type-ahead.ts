import { pauseMs } from '../screens/find/pace.ts';

export interface TypedKey {
  readonly key: string;
  readonly at: number;
  readonly isRepeat: boolean;
  readonly isChord: boolean;
  /** Outside fields, lists, menus and dialogs. */
  readonly isOutside: boolean;
}

/** An interrupted scan continues within this time. */
export const heldUpMs = 450;

/** Holds letters back until they can't be a scanner's. */
export class TypeAhead {
  #letters = '';
  #last = -Infinity;
  #fast = 0;

  /** Milliseconds to wait before `take`; undefined where there is nothing to wait for. */
  add({ key, at, isRepeat, isChord, isOutside }: TypedKey): number | undefined {
    if (key === 'Shift' || key === 'CapsLock') return this.#after();
    const isLetter = /^\p{L}$/u.test(key) && !isChord && !isRepeat && isOutside;
    // Fast letters belong to a code.
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
