import { useEffect, useRef } from 'react';
import { useSettings } from '../api/app-state.ts';
import { isChord, useKeys } from './keyboard.ts';
import { useSearchText } from './look-up.tsx';
import { useIsAuditor } from './me.tsx';

/** Longer than any scanner's gap between keys: a scan starts no search by its first letters. */
export const pauseMs = 80;
/** An interrupted scan continues within this time. */
export const interruptionMs = 450;
/** Keystrokes this far apart or less come from one hand: nobody picks up a scanner between them. */
const maxTypingGapMs = 1000;
/** A change that comes this long after a key was pasted or dictated. */
const maxKeyDelayMs = 250;

/**
 * Milliseconds to wait before what was typed is searched: none for a text typed by hand. Takes the times of the last two
 * keys from their events, since a blocked page receives all keys at once.
 */
export function getSearchDelay(
  { before, last }: { readonly before: number; readonly last: number },
  now: number,
): number {
  const gap = last - before;
  const isByHand = gap > pauseMs && gap < maxTypingGapMs && now - last < maxKeyDelayMs;
  return isByHand ? 0 : pauseMs;
}

export interface TypedKey {
  readonly key: string;
  readonly at: number;
  readonly isRepeat: boolean;
  /** With Ctrl, Alt or Meta. */
  readonly isChord: boolean;
  readonly isOutsideField: boolean;
}

/** Holds letters back until they can't be a scanner's. */
export class TypeAhead {
  #letters = '';
  #last = -Infinity;
  #fast = 0;

  /** Returns the milliseconds to wait before `take`, or undefined if there is nothing to take. */
  add({ key, at, isRepeat, isChord, isOutsideField }: TypedKey): number | undefined {
    if (key === 'Shift' || key === 'CapsLock') return this.#getWaitMs();
    const isLetter = /^\p{L}$/u.test(key) && !isChord && !isRepeat && isOutsideField;
    // Fast letters belong to a code.
    const isFast = at - this.#last < pauseMs;
    this.#last = at;
    this.#fast = isFast ? this.#fast + 1 : 0;
    if (!isLetter) {
      this.#letters = '';
      return undefined;
    }
    this.#letters += key;
    return this.#getWaitMs();
  }

  take(): string {
    const letters = this.#letters;
    this.#letters = '';
    return letters;
  }

  #getWaitMs(): number | undefined {
    if (this.#letters === '') return undefined;
    return this.#fast >= 2 ? interruptionMs : pauseMs;
  }
}

const fields =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=grid], [role=radiogroup]';

/** Letters typed outside a field start a search, unless the setting is off (WCAG 2.1.4). */
export function useTypeAhead(): void {
  const { typeToFind } = useSettings();
  const isAuditor = useIsAuditor();
  const { begin } = useSearchText();
  const ahead = useRef(new TypeAhead());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOn = typeToFind && !isAuditor;
  useKeys((event) => {
    if (!isOn || event.isComposing) return false;
    const { key, timeStamp: at, repeat: isRepeat } = event;
    const isOutsideField =
      document.activeElement?.closest(fields) === null &&
      document.querySelector('[role=dialog], [role=alertdialog]') === null;
    clearTimeout(timer.current);
    const waitMs = ahead.current.add({
      key,
      at,
      isRepeat,
      isChord: isChord(event),
      isOutsideField,
    });
    if (waitMs === undefined) return false;
    timer.current = setTimeout(() => {
      const letters = ahead.current.take();
      if (letters !== '') begin(letters);
    }, waitMs);
    return false;
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [isOn],
  );
}
