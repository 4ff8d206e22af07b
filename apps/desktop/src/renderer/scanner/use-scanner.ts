import { useEffect, useEffectEvent } from 'react';
import { useSettings } from '../service/app-state.ts';
import { createEar } from './ear.ts';
import { focusNow } from './focus.ts';
import { Recogniser } from './recogniser.ts';

/** Listens for a scanner's codes in the whole page, before any control gets their keys. */
export function useScanner(parts: {
  readonly onScan: (code: string, at: number) => void;
  readonly onBroken: () => void;
}): void {
  const { scannerPrefixes } = useSettings();
  const onScan = useEffectEvent(parts.onScan);
  const onBroken = useEffectEvent(parts.onBroken);
  useEffect(() => {
    const recogniser = new Recogniser();
    recogniser.usePrefixes(scannerPrefixes);
    const ear = createEar({
      recogniser,
      onScan: (code, at) => {
        onScan(code, at);
      },
      onBroken: () => {
        onBroken();
      },
    });
    const onKey = (event: KeyboardEvent): void => {
      // Controls send keys on to the item that they point at: those are no second key.
      if (!event.isTrusted) return;
      const { key, timeStamp, repeat, ctrlKey, altKey, metaKey } = event;
      const chord = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
      if (!ear({ key, at: timeStamp, repeat, chord }, focusNow())) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [scannerPrefixes]);
}
