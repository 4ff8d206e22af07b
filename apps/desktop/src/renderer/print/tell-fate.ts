import type { PrintFate } from '../../bridge/print.ts';
import { say, unwarn, warn } from '../state/say.ts';
import { unwrap } from '../state/service-call.ts';

/** Says what becomes of a job until it is over; nothing waits for it. */
export async function tellFate(
  job: number,
  values: { readonly printer: string; readonly pages: number },
): Promise<void> {
  let fate: PrintFate = 'queued';
  try {
    while (fate !== 'printed' && fate !== 'cancelled' && fate !== 'unknown') {
      ({ fate } = await unwrap(window.caregate.printFate({ job, known: fate })));
      if (fate === 'queued') unwarn();
      else if (fate === 'printed') say('print.fate.printed', values);
      else if (fate !== 'unknown') warn(`print.fate.${fate}`, values);
    }
  } catch {
    // Locked or signed out meanwhile.
  }
}
