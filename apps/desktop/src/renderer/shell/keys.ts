import { useEffect } from 'react';
import { RAIL } from '../screens/names.ts';
import type { ScreenName } from '../screens/names.ts';
import { SCREENS } from '../screens/screens.ts';
import type { Desk } from './desk.tsx';

export interface KeyParts {
  readonly desk: Desk;
  /** Closes what is over the screens, and goes to this one. */
  readonly go: (screen: ScreenName) => void;
  /** Opens it, or closes it where it is open. */
  readonly togglePalette: () => void;
  readonly showKeys: () => void;
  /** Escape that nothing else had a use for. */
  readonly escape: () => void;
}

/** The keys of the shell, in every screen. */
export function useKeys(parts: KeyParts): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && act(event, parts)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [parts]);
}

/** Does what a key of the shell means; false where it means nothing. */
function act(event: KeyboardEvent, parts: KeyParts): boolean {
  const { desk, go, togglePalette, showKeys, escape } = parts;
  const { key, shiftKey } = event;
  const plain: Readonly<Record<string, () => void>> = {
    F1: showKeys,
    F8: desk.toggleMask,
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
    if (!SCREENS[numbered].needsPerson || desk.person !== undefined) go(numbered);
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
