import { useEffect } from 'react';

/**
 * While `refused` is given, nothing of the page is copied, cut or dragged away: it is called instead. Nothing can be
 * selected either, since on Linux what is selected is copied. What stands in a field of text stays free.
 */
export function useCopyGuard(refused: (() => void) | undefined): void {
  useEffect(() => {
    if (refused === undefined) return undefined;
    const refuse = (event: Event): void => {
      if (isOfField(event)) return;
      event.preventDefault();
      // Before it reaches whoever copies what the page doesn't.
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
