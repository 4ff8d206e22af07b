import { useCallback, useRef } from 'react';
import type { Made } from '../../../shared/print.ts';
import type { Outcome } from '../../../shared/problem.ts';
import { complain, say, unsay } from '../../app/say.ts';
import { problemOf, unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import type { Text } from '../../i18n/text.tsx';
import { print } from './sheets/print-sheets.ts';
import { useAbortOnUnmount, withMade } from './use-print.ts';

interface QuickPrint {
  readonly printer: string | undefined;
  readonly copies: number;
  readonly make: () => Promise<Outcome<Made>>;
  readonly openPanel: (note: string) => void;
}

/** Prints without the panel, one at a time; opens the panel if the last printer can't be used. */
export function useQuickPrint(): (request: QuickPrint) => void {
  const text = useText();
  const signal = useAbortOnUnmount();
  const isBusy = useRef(false);
  return useCallback(
    (request: QuickPrint) => {
      if (isBusy.current) return;
      isBusy.current = true;
      if (request.printer !== undefined) say('print.quick.busy');
      run(request, signal, text)
        .finally(() => {
          isBusy.current = false;
          unsay('print.quick.busy');
        })
        .catch((error: unknown) => {
          if (!signal.aborted) complain('print.notSent', problemOf(error));
        });
    },
    [signal, text],
  );
}

async function run(
  { printer, copies, make, openPanel }: QuickPrint,
  signal: AbortSignal,
  text: Text,
): Promise<void> {
  if (printer === undefined) {
    openPanel(text('print.quick.first'));
    return;
  }
  const { printers } = await unwrap(window.caregate.printers({}));
  const found = printers.find(({ name }) => name === printer);
  if (found === undefined) {
    if (!signal.aborted) openPanel(text('print.quick.gone', { printer }));
    return;
  }
  const again = (): Promise<Made> => unwrap(make());
  const { id, pages } = await again();
  signal.throwIfAborted();
  const values = { printer: found.label, pages: pages * copies };
  const printOne = (made: string): Promise<boolean> => print({ id: made, copies, printer }, signal);
  const sent = await withMade(id, printOne, { again, signal });
  if (signal.aborted) return;
  if (sent) say('print.quick.sent', values);
  else say('print.notSent');
}
