import { useEffect } from 'react';

const stops = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Moves the focus to a neighbor if the focused control is removed or disabled, so that Tab continues from there. */
export function useRestoreFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    let neighbors: readonly (Element | undefined)[] = [];
    const onFocus = (): void => {
      const all = [...document.querySelectorAll(stops)];
      const at = document.activeElement === null ? -1 : all.indexOf(document.activeElement);
      last = all[at];
      neighbors = [all[at - 1], all[at + 1]];
    };
    const restore = (): void => {
      if (!isLost() || last === undefined || isThere(last)) return;
      const main = document.querySelector('[role=dialog], [role=alertdialog], main');
      for (const one of [...neighbors, main]) {
        if (one instanceof HTMLElement && isThere(one)) one.focus({ preventScroll: true });
        if (!isLost()) return;
      }
    };
    const changes = new MutationObserver(() => {
      // Wait, since a new screen or dialog may take the focus first.
      if (isLost()) requestAnimationFrame(() => requestAnimationFrame(restore));
    });
    document.addEventListener('focusin', onFocus);
    changes.observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', onFocus);
      changes.disconnect();
    };
  }, []);
}

const isLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const isThere = (one: Element): boolean => one.isConnected && !one.matches(':disabled');
