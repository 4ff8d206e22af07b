import { useEffect } from 'react';
import type { RefObject } from 'react';

/**
 * While `refused` is given, nothing of the element is copied, cut or dragged away: it is called instead. What stands
 * in a field, and what is selected wholly outside of the element, goes on as ever.
 */
export function useCopyGuard(
  of: RefObject<HTMLElement | null>,
  refused: (() => void) | undefined,
): void {
  useEffect(() => {
    if (refused === undefined) return undefined;
    const refuse = (event: Event): void => {
      if (of.current === null || isElsewhere(of.current, event)) return;
      event.preventDefault();
      // Before it reaches whoever copies what the page doesn't.
      event.stopImmediatePropagation();
      refused();
    };
    const kinds = ['copy', 'cut', 'dragstart'] as const;
    for (const kind of kinds) document.addEventListener(kind, refuse, true);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, refuse, true);
    };
  }, [of, refused]);
}

function isElsewhere(element: HTMLElement, { target }: Event): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return true;
  const selection = getSelection();
  // Nothing selected is somebody who couldn't select.
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return false;
  return !selection.getRangeAt(0).intersectsNode(element);
}
