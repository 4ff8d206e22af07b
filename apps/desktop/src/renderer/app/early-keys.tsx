import { useCallback, useRef } from 'react';
import { provided } from './context.tsx';
import { useKeyDown } from '../ui/hooks.ts';
import { useNavigation } from './navigation.tsx';
import { shortcutOf } from './shortcuts.ts';

export type EarlyShortcut = 'Ctrl+KeyP' | 'Ctrl+KeyB';

/** Whoever pressed a key so long ago has looked at something else since. */
const longestMs = 10_000;

/** Answers once whether a shortcut was pressed on this visit within the last seconds. */
export const [EarlyKeysProvider, useEarlyKeys] = provided(() => {
  const { visit } = useNavigation();
  const pressed = useRef<{
    readonly shortcut: string;
    readonly visit: number;
    readonly at: number;
  }>(undefined);
  // Before the listener that acts on it, which takes it back.
  useKeyDown((event) => {
    pressed.current = { shortcut: shortcutOf(event), visit, at: event.timeStamp };
  }, true);
  return useCallback(
    (shortcut: EarlyShortcut): boolean => {
      const last = pressed.current;
      if (last?.shortcut !== shortcut) return false;
      pressed.current = undefined;
      return last.visit === visit && performance.now() - last.at < longestMs;
    },
    [visit],
  );
});
