import { useEffect, useRef } from 'react';
import { pauseMs } from '../features/search/pace.ts';
import { useSettings } from '../api/app-state.ts';
import { useSearchText } from './look-up.tsx';
import { useIsAuditor } from './me.tsx';
import { useKeyDown } from '../ui/hooks.ts';

export interface TypedKey {
  readonly key: string;
  readonly at: number;
  readonly isRepeat: boolean;
  readonly isChord: boolean;
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

const inside =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=grid], [role=radiogroup]';

/** Letters typed outside a field start Find, unless the setting is off (WCAG 2.1.4). */
export function useTypeAhead(): void {
  const { typeToFind } = useSettings();
  const isAuditor = useIsAuditor();
  const { begin } = useSearchText();
  const ahead = useRef(new TypeAhead());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOn = typeToFind && !isAuditor;
  // Registered before the scanner's listener, which swallows a code's keys.
  useKeyDown((event) => {
    if (!isOn || !event.isTrusted || event.isComposing) return;
    const { key, timeStamp: at, repeat: isRepeat, ctrlKey, altKey, metaKey } = event;
    const isOutside =
      document.activeElement?.closest(inside) === null &&
      document.querySelector('[role=dialog], [role=alertdialog]') === null;
    const isChord = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
    clearTimeout(timer.current);
    const after = ahead.current.add({ key, at, isRepeat, isChord, isOutside });
    if (after === undefined) return;
    timer.current = setTimeout(() => {
      const letters = ahead.current.take();
      if (letters !== '') begin(letters);
    }, after);
  }, true);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [isOn],
  );
}
