import { useCallback, useRef, useState } from 'react';
import type { Made } from '../../bridge/print.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { problemOf, unwrap } from '../state/service-call.ts';
import { useText } from '../text/text.tsx';
import type { Text } from '../text/text.tsx';
import { print } from './sheets/print-sheets.ts';
import { useAbortOnUnmount, withMade } from './use-print.ts';

interface QuickPrint {
  readonly printer: string | undefined;
  readonly copies: number;
  readonly make: () => Promise<Outcome<Made>>;
  readonly openPanel: (note: string) => void;
}

interface Result {
  readonly message?: string;
  readonly problem?: Problem;
}

/** Prints without the panel, one at a time; opens the panel if the last printer can't be used. */
export function useQuickPrint(): Result & { readonly start: (request: QuickPrint) => void } {
  const text = useText();
  const signal = useAbortOnUnmount();
  const isBusy = useRef(false);
  const [result, setResult] = useState<Result>({});
  const start = useCallback(
    (request: QuickPrint) => {
      if (isBusy.current) return;
      isBusy.current = true;
      setResult({ message: text('print.quick.busy') });
      run(request, signal, text)
        .then(
          (message) => {
            if (!signal.aborted) setResult(message === undefined ? {} : { message });
          },
          (error: unknown) => {
            if (!signal.aborted) setResult({ problem: problemOf(error) });
          },
        )
        .finally(() => {
          isBusy.current = false;
        });
    },
    [signal, text],
  );
  return { ...result, start };
}

async function run(
  { printer, copies, make, openPanel }: QuickPrint,
  signal: AbortSignal,
  text: Text,
): Promise<string | undefined> {
  if (printer === undefined) {
    openPanel(text('print.quick.first'));
    return undefined;
  }
  const { printers } = await unwrap(window.caregate.printers({}));
  const found = printers.find(({ name }) => name === printer);
  if (found === undefined) {
    if (!signal.aborted) openPanel(text('print.quick.gone', { printer }));
    return undefined;
  }
  const again = (): Promise<Made> => unwrap(make());
  const { id, pages } = await again();
  signal.throwIfAborted();
  const printOne = (made: string): Promise<boolean> => print({ id: made, copies, printer }, signal);
  const sent = await withMade(id, printOne, { again, signal });
  return sent
    ? text('print.quick.sent', { printer: found.label, pages: pages * copies })
    : text('print.notSent');
}
