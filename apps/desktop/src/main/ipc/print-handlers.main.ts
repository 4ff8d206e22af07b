import { webContents } from 'electron';
import { done, failed } from '../../bridge/problem.ts';
import type { Outcome } from '../../bridge/problem.ts';
import type { Handlers } from './handle-call.ts';
import type { Desk } from '../session/desk.ts';
import type { PrintService } from '../print/print-service.main.ts';

type PrintChannel =
  | 'makePrint'
  | 'makeLabel'
  | 'readPrint'
  | 'savePrint'
  | 'sendPrint'
  | 'printFate'
  | 'cancelPrint'
  | 'printers';

export function printHandlers(parts: {
  readonly desk: Desk;
  readonly loadPrintService: () => Promise<PrintService>;
}): Pick<Handlers, PrintChannel> {
  const { desk, loadPrintService } = parts;
  const signedIn = async <T>(
    act: (service: PrintService) => Promise<Outcome<T>> | Outcome<T>,
  ): Promise<Outcome<T>> => {
    // Loaded before the phase is checked: a lock meanwhile counts.
    const service = await loadPrintService();
    const { phase } = desk.status();
    return phase === 'signedIn' ? act(service) : failed(phase);
  };
  return {
    makePrint: (document, senderId) => signedIn((service) => service.make(document, senderId)),
    makeLabel: (label, senderId) => signedIn((service) => service.makeLabel(label, senderId)),
    readPrint: ({ id }, senderId) =>
      signedIn((service) => {
        const pdf = service.read(id, senderId);
        return pdf === undefined ? failed('refused') : done({ pdf });
      }),
    savePrint: ({ id }, senderId) => signedIn((service) => service.save(id, senderId)),
    sendPrint: (wanted, senderId) => signedIn((service) => service.send(wanted, senderId)),
    printFate: ({ job, known }) =>
      signedIn(async (service) => done({ fate: await service.fate(job, known) })),
    cancelPrint: ({ id }, senderId) =>
      signedIn((service) => {
        service.cancel(id, senderId);
        return done({});
      }),
    printers: (_request, senderId) =>
      signedIn(async () => {
        const known = (await webContents.fromId(senderId)?.getPrintersAsync()) ?? [];
        return done({
          printers: known.slice(0, 500).map(({ name, displayName }) => ({
            name,
            label: displayName === '' ? name : displayName,
          })),
        });
      }),
  };
}
