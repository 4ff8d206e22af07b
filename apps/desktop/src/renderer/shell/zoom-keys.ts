import { useEffect } from 'react';
import type { ZoomStep } from '../../bridge/app-state.ts';

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const steps: Readonly<Record<string, ZoomStep>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'reset',
};
/** On layouts where 0 needs Shift. */
const codes: Readonly<Record<string, ZoomStep>> = { Digit0: 'reset' };

/** The browsers' own zoom keys, also on the number pad. */
export function zoomStepOf(press: KeyPress): ZoomStep | undefined {
  const { key, code, ctrlKey, metaKey, altKey } = press;
  // AltGr is Ctrl and Alt.
  if (ctrlKey === metaKey || altKey) return undefined;
  return own(steps, key) ?? own(codes, code);
}

function own(from: Readonly<Record<string, ZoomStep>>, name: string): ZoomStep | undefined {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

/** In the capture phase, so that no dialog takes the keys. */
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
