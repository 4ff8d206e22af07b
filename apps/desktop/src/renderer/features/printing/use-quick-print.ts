import { useCallback, useRef } from 'react';
import type { Printable } from '../../../shared/print.ts';
import { toProblem, unwrap } from '../../api/service-call.ts';
import { toast } from '../../app/toasts.ts';
import { useText } from '../../i18n/text.tsx';

interface QuickPrint {
  readonly document: Printable;
  readonly printer: string | undefined;
  readonly copies: number;
  readonly openPanel: (note: string) => void;
}

/** Prints without the panel, one at a time; opens the panel if the last printer can't be used. */
export function useQuickPrint(): (request: QuickPrint) => void {
  const text = useText();
  const isBusy = useRef(false);
  return useCallback(
    ({ document, printer, copies, openPanel }: QuickPrint) => {
      if (printer === undefined) {
        openPanel(text('print.quick.first'));
        return;
      }
      const print = async (): Promise<void> => {
        const request = { document, to: 'printer', printer, copies } as const;
        const { result, pages = 0, ...sent } = await unwrap(window.caregate.print(request));
        if (result === 'printerGone') openPanel(text('print.quick.gone', { printer }));
        else if (result === 'notDone') toast.warn('print.notSent');
        else toast.info('print.quick.sent', { printer: sent.printer ?? printer, pages });
      };
      if (isBusy.current) return;
      isBusy.current = true;
      toast.info('print.quick.busy');
      print()
        .catch((error: unknown) => {
          const problem = toProblem(error);
          // Cancelled by a lock: the next person isn't told of it.
          if (!['cancelled', 'locked', 'signedOut'].includes(problem.kind)) {
            toast.error('print.notSent', problem);
          }
        })
        .finally(() => {
          isBusy.current = false;
          toast.dismiss('print.quick.busy');
        });
    },
    [text],
  );
}
