import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useWorkspace } from '../../app/workspace.tsx';
import { useShortcuts } from '../../app/shortcuts.ts';
import { useNavigation } from '../../app/navigation.tsx';

export function usePanel(): {
  readonly isOpen: boolean;
  readonly note: string | undefined;
  readonly open: (note?: string) => void;
  readonly close: () => void;
} {
  const { visit } = useNavigation();
  const [opened, setOpened] = useState<{
    readonly at: number;
    readonly note: string | undefined;
  }>();
  const open = useCallback(
    (note?: string) => {
      setOpened({ at: visit, note });
    },
    [visit],
  );
  const close = useCallback(() => {
    setOpened(undefined);
  }, []);
  return { isOpen: opened?.at === visit, note: opened?.note, open, close };
}

export function useAbortOnUnmount(): AbortSignal {
  const [gone] = useState(() => new AbortController());
  useEffect(
    () => () => {
      gone.abort();
    },
    [gone],
  );
  return gone.signal;
}

export function usePrintKey(open: () => void, quick: () => void = open): void {
  useEarlyShortcut('Ctrl+KeyP', open);
  useShortcuts({ 'Ctrl+Shift+KeyP': once(quick) });
}

/** A shortcut that also counts if it was pressed on this screen a moment before its part could be shown. */
export function useEarlyShortcut(shortcut: 'Ctrl+KeyP' | 'Ctrl+KeyB', act: () => void): void {
  const { takePress: take } = useWorkspace();
  const onShown = useEffectEvent(() => {
    if (take(shortcut)) act();
  });
  useEffect(() => {
    onShown();
  }, []);
  useShortcuts({
    [shortcut]: once(() => {
      take(shortcut);
      act();
    }),
  });
}

/** A key that is held down acts once. */
export function once(act: () => void): (event: KeyboardEvent) => void {
  return ({ repeat }) => {
    if (!repeat) act();
  };
}
