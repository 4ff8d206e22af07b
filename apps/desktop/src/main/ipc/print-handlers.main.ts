import { webContents } from 'electron';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import type { Handlers } from './handle-call.ts';
import type { DeskSession } from '../session/desk-session.ts';
import type { PrintService } from '../print/print-service.main.ts';

type PrintChannel = 'makePrint' | 'readPrint' | 'savePrint' | 'sendPrint' | 'printers';

const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
const failed = (kind: ProblemKind): Outcome<never> => ({ ok: false, problem: { kind } });

/** The calls of the Print screen: only for whoever is signed in. */
export function printHandlers(parts: {
  readonly deskSession: DeskSession;
  readonly printService: PrintService;
}): Pick<Handlers, PrintChannel> {
  const { deskSession, printService } = parts;
  const signedIn = async <T>(act: () => Promise<Outcome<T>> | Outcome<T>): Promise<Outcome<T>> => {
    const { phase } = deskSession.status();
    return phase === 'signedIn' ? act() : failed(phase);
  };
  return {
    makePrint: (document) =>
      signedIn(async () => {
        const made = await printService.make(document);
        return made === undefined ? failed('cancelled') : done(made);
      }),
    readPrint: ({ id }) =>
      signedIn(() => {
        const pdf = printService.read(id);
        return pdf === undefined ? failed('refused') : done({ pdf });
      }),
    savePrint: ({ id }, senderId) =>
      signedIn(async () => done({ saved: await printService.save(id, senderId) })),
    sendPrint: (wanted, senderId) =>
      signedIn(async () => done({ result: await printService.send(wanted, senderId) })),
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
