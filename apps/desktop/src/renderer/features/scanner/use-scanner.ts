import { useEffect, useEffectEvent } from 'react';
import { useSettings } from '../../api/app-state.ts';
import { isChord, keyboard } from '../../app/keyboard.ts';
import { createScanListener, ScanDetector, getUsCharacter } from './scan-detector.ts';
import type { FocusTarget, Scan } from './scan-detector.ts';

export function useScanner(parts: {
  readonly onScan: (scan: Scan) => void;
  readonly onBroken: () => void;
}): void {
  const { scannerPrefixes } = useSettings();
  const onScan = useEffectEvent(parts.onScan);
  const onBroken = useEffectEvent(parts.onBroken);
  useEffect(() => {
    const listen = createScanListener({
      detector: new ScanDetector(scannerPrefixes),
      onScan: (scan) => onScan(scan),
      onBroken: () => onBroken(),
    });
    return keyboard.watch((event) => {
      const { key, timeStamp: at, repeat } = event;
      const usKey = getUsCharacter(event);
      return listen({ key, usKey, at, repeat, chord: isChord(event) }, getFocusTarget());
    });
  }, [scannerPrefixes]);
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function getFocusTarget(): FocusTarget {
  const element = document.activeElement;
  return {
    takesText: isText(element),
    save: () => (isField(element) ? saveField(element) : () => undefined),
  };
}

function isField(element: Element | null): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

const buttonTypes = new Set(['button', 'checkbox', 'radio', 'range', 'color', 'submit', 'reset']);

function isText(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return !buttonTypes.has(element.type);
  return element instanceof HTMLTextAreaElement;
}

/** Returns a function that restores the field's current state. */
function saveField(field: Field): () => void {
  const { value } = field;
  const isSelect = field instanceof HTMLSelectElement;
  const [start, end] = isSelect ? [null, null] : [field.selectionStart, field.selectionEnd];
  return () => {
    if (field.value !== value) {
      setValue(field, value);
      field.dispatchEvent(new Event(isSelect ? 'change' : 'input', { bubbles: true }));
    }
    if (!isSelect && start !== null && end !== null) field.setSelectionRange(start, end);
  };
}

/** React overrides the element's setter and would miss the change, so the prototype's setter is used. */
function setValue(field: Field, value: string): void {
  const { prototype } =
    field instanceof HTMLInputElement
      ? HTMLInputElement
      : field instanceof HTMLSelectElement
        ? HTMLSelectElement
        : HTMLTextAreaElement;
  Reflect.set(prototype, 'value', value, field);
}
