import { useCallback, useEffect, useState } from 'react';
import type { Label } from '../../bridge/print.ts';
import type { Made, PrintDocument } from '../../bridge/print.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { problemOf, unwrap } from '../state/service-call.ts';

interface Making {
  readonly made?: Made;
  readonly problem?: Problem;
}

/** And to make the same once more, where main holds it no longer. */
type Makeable = Making & { readonly again: () => Promise<Made> };

/** The PDF of a document, made again when the document changes; never that of an earlier one. */
export function usePrint(document: PrintDocument): Makeable {
  return useMade(document, window.caregate.makePrint);
}

/** The same of a label. */
export function useLabel(label: Label): Makeable {
  return useMade(label, window.caregate.makeLabel);
}

function useMade<T extends object>(given: T, make: (given: T) => Promise<Outcome<Made>>): Makeable {
  const [making, setMaking] = useState<Making & { of?: T }>({});
  useEffect(() => {
    let wanted = true;
    unwrap(make(given)).then(
      (made) => {
        if (wanted) setMaking({ of: given, made });
      },
      (error: unknown) => {
        if (wanted) setMaking({ of: given, problem: problemOf(error) });
      },
    );
    return () => {
      wanted = false;
    };
  }, [given, make]);
  const again = useCallback(async () => {
    const made = await unwrap(make(given));
    // Another may be shown by now.
    setMaking((now) => (now.of === given ? { of: given, made } : now));
    return made;
  }, [given, make]);
  return { ...(making.of === given && making), again };
}

/**
 * Does something with a PDF that main holds. It holds the newest alone: what is there no more is laid out as before, and
 * it's done with that.
 */
export async function withHeld<T>(
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

/** The printers of this computer; undefined until they are known. */
export function usePrinters(): Printers | undefined {
  const [printers, setPrinters] = useState<Printers>();
  useEffect(() => {
    unwrap(window.caregate.printers({})).then(
      (found) => {
        setPrinters(found.printers);
      },
      () => {
        setPrinters([]);
      },
    );
  }, []);
  return printers;
}

/** Aborts when the component unmounts, also at the lock. */
export function useAbortOnUnmount(): AbortController {
  const [gone] = useState(() => new AbortController());
  useEffect(
    () => () => {
      gone.abort();
    },
    [gone],
  );
  return gone;
}

/**
 * Calls `open` at Ctrl+P (Command+P), on the screens that have something to print, and `quick` at Ctrl+Shift+P; without
 * one that key does the same.
 */
export function usePrintKey(open: () => void, quick: () => void = open): void {
  useKey('p', ({ shiftKey, repeat }) => {
    if (!repeat) (shiftKey ? quick : open)();
  });
}

/** Calls `act` at Ctrl with this key (Command with it), and nothing else happens then. */
export function useKey(letter: string, act: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (!(ctrlKey || metaKey) || altKey || key.toLowerCase() !== letter) return;
      event.preventDefault();
      act(event);
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [letter, act]);
}
