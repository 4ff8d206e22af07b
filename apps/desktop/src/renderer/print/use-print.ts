import { useEffect, useState } from 'react';
import type { Made, PrintDocument } from '../../bridge/print.ts';
import type { Problem } from '../../bridge/problem.ts';
import { problemOf, unwrap } from '../state/service-call.ts';

interface Making {
  readonly made?: Made;
  readonly problem?: Problem;
}

/** The PDF of a document, made again when the document changes; never that of an earlier one. */
export function usePrint(document: PrintDocument): Making {
  const [making, setMaking] = useState<Making & { of?: PrintDocument }>({});
  useEffect(() => {
    let wanted = true;
    unwrap(window.caregate.makePrint(document)).then(
      (made) => {
        if (wanted) setMaking({ of: document, made });
      },
      (error: unknown) => {
        if (wanted) setMaking({ of: document, problem: problemOf(error) });
      },
    );
    return () => {
      wanted = false;
    };
  }, [document]);
  return making.of === document ? making : {};
}

type Printers = readonly { readonly name: string; readonly label: string }[];

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

/** Calls `open` at Ctrl+P (Command+P), on the screens that have something to print. */
export function usePrintKey(open: (() => void) | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'p') {
        return;
      }
      event.preventDefault();
      open?.();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [open]);
}
