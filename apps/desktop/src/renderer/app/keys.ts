import type { ScreenName } from './navigation.tsx';
import { useKeyDown } from '../ui/hooks.ts';
import { shortcutOf, useShortcuts } from './shortcuts.ts';
import { useWorkspace } from './workspace.tsx';

interface KeyActions {
  readonly numbered: readonly ScreenName[];
  readonly people: readonly string[];
  readonly toggleMask: () => void;
  readonly go: (screen: ScreenName) => void;
  readonly find: () => void;
  readonly before: () => void;
  readonly showKeys: () => void;
  readonly escape: () => void;
}

export function useKeys(actions: KeyActions): void {
  const { numbered, people, toggleMask, go, find, before, showKeys, escape } = actions;
  const { notePress } = useWorkspace();
  // Before the listener that acts on it, which takes it back.
  useKeyDown((event) => {
    notePress(shortcutOf(event), event.timeStamp);
  }, true);
  useLockKey();
  useShortcuts({
    F1: showKeys,
    F8: toggleMask,
    'Ctrl+KeyK': find,
    'Ctrl+Tab': before,
    ...byDigit('Ctrl', numbered, go),
    ...byDigit('Alt', people, (staffId) => {
      void window.caregate.switchTo({ staffId });
    }),
  });
  // Escape stays a key of what is open.
  useKeyDown((event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) escape();
  });
}

export function useLockKey(): void {
  useShortcuts({
    'Ctrl+KeyL': () => {
      void window.caregate.lock({});
    },
  });
}

/** The first nine, by the digits 1 to 9. */
function byDigit<T>(modifier: string, targets: readonly T[], act: (target: T) => void) {
  return Object.fromEntries(
    targets.slice(0, 9).map((target, index) => [
      `${modifier}+Digit${String(index + 1)}`,
      () => {
        act(target);
      },
    ]),
  );
}
