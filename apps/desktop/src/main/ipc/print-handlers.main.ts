import { webContents } from 'electron';
import { failed } from '../../bridge/problem.ts';
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
  | 'cancelPrint'
  | 'printers';

const done = <T>(value: T): Outcome<T> => ({ ok: true, value });

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
    makePrint: (document, senderId) =>
      signedIn(async (service) => {
        const made = await service.make(document, senderId);
        return made === undefined ? failed('cancelled') : done(made);
      }),
    makeLabel: (label, senderId) => signedIn((service) => service.makeLabel(label, senderId)),
    readPrint: ({ id }, senderId) =>
      signedIn((service) => {
        const pdf = service.read(id, senderId);
        return pdf === undefined ? failed('refused') : done({ pdf });
      }),
    savePrint: ({ id }, senderId) =>
      signedIn(async (service) => {
        const saved = await service.save(id, senderId);
        return saved.ok ? done({ saved: saved.value }) : saved;
      }),
    sendPrint: (wanted, senderId) =>
      signedIn(async (service) => {
        const sent = await service.send(wanted, senderId);
        return sent.ok ? done({ result: sent.value }) : sent;
      }),
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
