import { useCallback, useRef, useState } from 'react';
import type { Made } from '../../bridge/print.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import { problemOf, unwrap } from '../state/service-call.ts';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';
import { print } from './sheets/print-sheets.ts';
import { withHeld } from './use-print.ts';

interface QuickPrint {
  /** Of the last print of its kind; without one the panel asks. */
  readonly printer: string | undefined;
  readonly copies: number;
  readonly make: () => Promise<Outcome<Made>>;
  /** With why there is a panel all the same. */
  readonly openPanel: (note: string) => void;
}

interface Told {
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Prints without the panel, once at a time; what can't go where the last one went opens it. */
export function useQuickPrint(signal: AbortSignal): {
  readonly start: (wanted: QuickPrint) => void;
  /** Where the last one went. */
  readonly told: Told | undefined;
  readonly problem: Problem | undefined;
} {
  const text = useText();
  const busy = useRef(false);
  const [result, setResult] = useState<{ told?: Told; problem?: Problem }>({});
  const start = useCallback(
    (wanted: QuickPrint) => {
      // A key that is held or pressed twice is one print.
      if (busy.current) return;
      busy.current = true;
      setResult({ told: { key: 'print.quick.busy', values: {} } });
      run(wanted, signal, text)
        .then(
          (told) => {
            if (!signal.aborted) setResult(told === undefined ? {} : { told });
          },
          (error: unknown) => {
            if (!signal.aborted) setResult({ problem: problemOf(error) });
          },
        )
        .finally(() => {
          busy.current = false;
        });
    },
    [signal, text],
  );
  return { start, told: result.told, problem: result.problem };
}

async function run(
  { printer, copies, make, openPanel }: QuickPrint,
  signal: AbortSignal,
  text: ReturnType<typeof useText>,
): Promise<Told | undefined> {
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
  const printOne = (held: string): Promise<boolean> => print({ id: held, copies, printer }, signal);
  const sent = await withHeld(id, printOne, { again, signal });
  const values = { printer: found.label, pages: pages * copies };
  return sent ? { key: 'print.quick.sent', values } : { key: 'print.notSent', values: {} };
}
