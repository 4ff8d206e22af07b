import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { Made } from '../../../shared/print.ts';
import type { Outcome, Problem } from '../../../shared/problem.ts';
import { useEarlyKeys } from '../../app/early-keys.tsx';
import type { EarlyShortcut } from '../../app/early-keys.tsx';
import { useShortcuts } from '../../app/shortcuts.ts';
import { useNavigation } from '../../app/navigation.tsx';
import { problemOf, unwrap } from '../../api/service-call.ts';

interface Making {
  readonly made?: Made;
  readonly problem?: Problem;
}

/** A PDF, and `again` to make it once more if main no longer has it. */
export type Makeable = Making & { readonly again: () => Promise<Made> };

/** Never returns the PDF of an earlier source. */
export function useMade<T extends object>(
  source: T,
  make: (source: T) => Promise<Outcome<Made>>,
): Makeable {
  const [making, setMaking] = useState<Making & { of?: T }>({});
  useEffect(() => {
    let isCurrent = true;
    unwrap(make(source)).then(
      (made) => {
        if (isCurrent) setMaking({ of: source, made });
      },
      (error: unknown) => {
        if (isCurrent) setMaking({ of: source, problem: problemOf(error) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [source, make]);
  const again = useCallback(async () => {
    const made = await unwrap(make(source));
    setMaking((now) => (now.of === source ? { of: source, made } : now));
    return made;
  }, [source, make]);
  return { ...(making.of === source && making), again };
}

/** Makes a PDF again if it is gone: main stores only a few. */
export async function withMade<T>(
  id: string,
  does: (id: string) => Promise<T>,
  { again, signal }: { readonly again: () => Promise<Made>; readonly signal: AbortSignal },
): Promise<T> {
  try {
    return await does(id);
  } catch (error) {
    if (problemOf(error).kind !== 'cancelled' || signal.aborted) throw error;
    return does((await again()).id);
  }
}

export type Printers = readonly { readonly name: string; readonly label: string }[];

/** `read` asks again: a printer may disappear while the panel is open. */
export function usePrinters(): [printers: Printers | undefined, read: () => Promise<Printers>] {
  const [printers, setPrinters] = useState<Printers>();
  const read = useCallback(async () => {
    const found = await unwrap(window.caregate.printers({})).then(
      (now) => now.printers,
      () => [],
    );
    setPrinters(found);
    return found;
  }, []);
  useEffect(() => {
    void read();
  }, [read]);
  return [printers, read];
}

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
export function useEarlyShortcut(shortcut: EarlyShortcut, act: () => void): void {
  const take = useEarlyKeys();
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
