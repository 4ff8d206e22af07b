import { useEffect } from 'react';
import type { IdentityGate } from './identity-gate.ts';

/** Refuses copy, cut and drag outside of text fields. Selection too, since Linux copies what is selected. */
export function useCopyGuard({
  isBlocked,
  onAttempt,
}: Pick<IdentityGate, 'isBlocked' | 'onAttempt'>): void {
  useEffect(() => {
    if (!isBlocked) return undefined;
    const refuse = (event: Event): void => {
      if (isOfField(event)) return;
      event.preventDefault();
      // useClearedCopies must not see it.
      event.stopImmediatePropagation();
      if (event.type !== 'selectstart') onAttempt('copy');
    };
    if (!isField(document.activeElement)) getSelection()?.removeAllRanges();
    const kinds = ['copy', 'cut', 'dragstart', 'selectstart'] as const;
    for (const kind of kinds) document.addEventListener(kind, refuse, true);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, refuse, true);
    };
  }, [isBlocked, onAttempt]);
}

function isOfField({ target }: Event): boolean {
  return isField(target instanceof Text ? target.parentElement : target);
}

function isField(element: EventTarget | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
