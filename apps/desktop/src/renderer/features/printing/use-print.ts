import { useCallback, useEffect, useState } from 'react';
import { useCommand } from '../../app/keyboard.ts';
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

/** Ctrl+P, also a moment before the part that prints is shown, and Ctrl+Shift+P. */
export function usePrintKey(open: () => void, quick: () => void = open): void {
  useCommand('print', open, { isEarly: true });
  useCommand('quickPrint', quick);
}
