import { useEffect } from 'react';

/**
 * With `refused`, blocks copy, cut and drag outside of text fields and calls it instead. Blocks selection too, since Linux
 * copies what is selected.
 */
export function useCopyGuard(refused: (() => void) | undefined): void {
  useEffect(() => {
    if (refused === undefined) return undefined;
    const refuse = (event: Event): void => {
      if (isOfField(event)) return;
      event.preventDefault();
      // useClearedCopies must not see it.
      event.stopImmediatePropagation();
      if (event.type !== 'selectstart') refused();
    };
    if (!isField(document.activeElement)) getSelection()?.removeAllRanges();
    const kinds = ['copy', 'cut', 'dragstart', 'selectstart'] as const;
    for (const kind of kinds) document.addEventListener(kind, refuse, true);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, refuse, true);
    };
  }, [refused]);
}

function isOfField({ target }: Event): boolean {
  return isField(target instanceof Text ? target.parentElement : target);
}

function isField(element: EventTarget | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
