import { useEffect } from 'react';
import { RAIL } from '../state/navigation.tsx';
import type { ScreenName } from '../state/navigation.tsx';
import { SCREENS } from '../screens/screens.ts';

interface KeyActions {
  /** Whether a person is selected. */
  readonly hasPerson: boolean;
  readonly toggleMask: () => void;
  /** Closes what is over the screens, and goes to this one. */
  readonly go: (screen: ScreenName) => void;
  /** Opens it, or closes it where it is open. */
  readonly togglePalette: () => void;
  readonly showKeys: () => void;
  /** Escape that nothing else has handled. */
  readonly escape: () => void;
}

/** The shell's shortcuts, on every screen. */
export function useKeys(actions: KeyActions): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && act(event, actions)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [actions]);
}

/** Runs the action of a shortcut; false where there is none. */
function act(event: KeyboardEvent, actions: KeyActions): boolean {
  const { hasPerson, toggleMask, go, togglePalette, showKeys, escape } = actions;
  const { key, shiftKey } = event;
  const plain: Readonly<Record<string, () => void>> = {
    F1: showKeys,
    F8: toggleMask,
    Escape: escape,
  };
  const meant = Object.hasOwn(plain, key) ? plain[key] : undefined;
  if (meant !== undefined) {
    meant();
    return key !== 'Escape';
  }
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const numbered = RAIL[Number(key) - 1];
  if (numbered !== undefined) {
    if (!SCREENS[numbered].needsPerson || hasPerson) go(numbered);
    return true;
  }
  switch (key.toLowerCase()) {
    case 'k':
      togglePalette();
      return true;
    case 'l':
      void window.caregate.lock({});
      return true;
    case 'n':
      if (shiftKey) void window.caregate.openWindow({});
      return shiftKey;
    default:
      return false;
  }
}
