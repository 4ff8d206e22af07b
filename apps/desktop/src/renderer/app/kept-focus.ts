import { useEffect } from 'react';

const stops = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Moves the focus to a neighbour when the focused control goes or is disabled: the window as a whole takes no keys. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    let neighbours: readonly (Element | undefined)[] = [];
    const onFocus = (): void => {
      const all = [...document.querySelectorAll(stops)];
      const at = document.activeElement === null ? -1 : all.indexOf(document.activeElement);
      last = all[at];
      neighbours = [all[at - 1], all[at + 1]];
    };
    const give = (): void => {
      if (!isLost() || last === undefined || isThere(last)) return;
      const main = document.querySelector('[role=dialog], [role=alertdialog], main');
      for (const one of [...neighbours, main]) {
        if (one instanceof HTMLElement && isThere(one)) one.focus({ preventScroll: true });
        if (!isLost()) return;
      }
    };
    const changes = new MutationObserver(() => {
      // After the screen or dialog that follows has had the chance to take the focus.
      if (isLost()) requestAnimationFrame(() => requestAnimationFrame(give));
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
