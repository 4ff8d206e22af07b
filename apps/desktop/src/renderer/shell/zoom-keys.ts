import { useEffect } from 'react';
import type { ZoomStep } from '../../bridge/app-state.ts';

/** The part of a key's event that says what was pressed. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const steps: Readonly<Record<string, ZoomStep>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'reset',
};
/** Where the key that says 0 on the row of digits needs Shift for it. */
const codes: Readonly<Record<string, ZoomStep>> = { Digit0: 'reset' };

/** What browsers take Ctrl (on a Mac, Cmd) with Plus, Minus and 0 for, also on the number pad. */
export function zoomStepOf(press: KeyPress): ZoomStep | undefined {
  const { key, code, ctrlKey, metaKey, altKey } = press;
  // AltGr is Ctrl and Alt, and types a character.
  if (ctrlKey === metaKey || altKey) return undefined;
  return own(steps, key) ?? own(codes, code);
}

function own(from: Readonly<Record<string, ZoomStep>>, name: string): ZoomStep | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

/** The zoom shortcuts, signed in or not. In the capture phase, so that no dialog takes them. */
export function useZoomKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = event.defaultPrevented ? undefined : zoomStepOf(event);
      if (step === undefined) return;
      event.preventDefault();
      void window.caregate.zoom({ step });
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
    };
  }, []);
}
