import { useEffect, useEffectEvent } from 'react';
import { useSettings } from '../../api/app-state.ts';
import { currentFocus } from './focus-target.ts';
import { ScanDetector } from './scan-detector.ts';
import { createScanListener } from './scan-listener.ts';
import type { Scan } from './scan-listener.ts';
import { usCharacter } from './us-layout.ts';

export function useScanner(parts: {
  readonly onScan: (scan: Scan) => void;
  readonly onBroken: () => void;
}): void {
  const { scannerPrefixes } = useSettings();
  const onScan = useEffectEvent(parts.onScan);
  const onBroken = useEffectEvent(parts.onBroken);
  useEffect(() => {
    const detector = new ScanDetector();
    detector.usePrefixes(scannerPrefixes);
    const listen = createScanListener({
      detector,
      onScan: (scan) => {
        onScan(scan);
      },
      onBroken: () => {
        onBroken();
      },
    });
    const onKey = (event: KeyboardEvent): void => {
      // Controls resend keys to the focused item.
      if (!event.isTrusted) return;
      const { key, timeStamp, repeat, ctrlKey, altKey, metaKey } = event;
      const chord = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
      const usKey = usCharacter(event);
      if (!listen({ key, usKey, at: timeStamp, repeat, chord }, currentFocus())) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [scannerPrefixes]);
}
