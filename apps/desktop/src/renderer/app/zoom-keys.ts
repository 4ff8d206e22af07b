import type { ZoomStep } from '../../shared/app-state.ts';
import { useKeyDown } from '../ui/hooks.ts';

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const steps: ReadonlyMap<string, ZoomStep> = new Map([
  ['+', 'in'],
  ['=', 'in'],
  ['-', 'out'],
  ['0', 'reset'],
]);
export function zoomStepOf(press: KeyPress): ZoomStep | undefined {
  const { key, code, ctrlKey, metaKey, altKey } = press;
  // AltGr is Ctrl and Alt.
  if (ctrlKey === metaKey || altKey) return undefined;
  // On some layouts 0 needs Shift.
  return steps.get(key) ?? (code === 'Digit0' ? 'reset' : undefined);
}

/** In the capture phase, so that no dialog takes the keys. */
export function useZoomKeys(): void {
  useKeyDown((event) => {
    const step = event.defaultPrevented ? undefined : zoomStepOf(event);
    if (step === undefined) return;
    event.preventDefault();
    void window.caregate.changeSettings({ zoom: step });
  }, true);
}
