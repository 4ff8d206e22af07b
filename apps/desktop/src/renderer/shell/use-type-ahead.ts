import { useEffect, useEffectEvent } from 'react';
import { useSettings } from '../state/app-state.ts';
import { useSearchText } from '../state/look-up.tsx';
import { useIsAuditor } from '../state/me.tsx';
import { TypeAhead } from './type-ahead.ts';

/** Where letters mean something. */
const inside =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=grid], [role=radiogroup]';

/** Letters typed outside a field start Find, unless the setting is off (WCAG 2.1.4). */
export function useTypeAhead(): void {
  const { typeToFind } = useSettings();
  const isAuditor = useIsAuditor();
  const { begin } = useSearchText();
  const onLetters = useEffectEvent(begin);
  const isOn = typeToFind && !isAuditor;
  useEffect(() => {
    if (!isOn) return undefined;
    const ahead = new TypeAhead();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Registered before the scanner's listener, which swallows a code's keys.
    const onKey = (event: KeyboardEvent): void => {
      if (!event.isTrusted || event.isComposing) return;
      const { key, timeStamp: at, repeat: isRepeat, ctrlKey, altKey, metaKey } = event;
      const isOutside =
        document.activeElement?.closest(inside) === null &&
        document.querySelector('[role=dialog], [role=alertdialog]') === null;
      const isChord = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
      clearTimeout(timer);
      const after = ahead.add({ key, at, isRepeat, isChord, isOutside });
      if (after === undefined) return;
      timer = setTimeout(() => {
        const letters = ahead.take();
        if (letters !== '') onLetters(letters);
      }, after);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [isOn]);
}
