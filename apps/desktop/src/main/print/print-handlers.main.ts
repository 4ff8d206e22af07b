import { webContents } from 'electron';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { Desk } from '../session/desk.ts';
import type { PrintRoom } from './print-room.main.ts';

type PrintChannel = 'makePrint' | 'readPrint' | 'savePrint' | 'sendPrint' | 'printers';

const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
const failed = (kind: ProblemKind): Outcome<never> => ({ ok: false, problem: { kind } });

/** The calls of the Print screen: only for whoever is signed in. */
export function printHandlers(parts: {
  readonly desk: Desk;
  readonly prints: PrintRoom;
}): Pick<Handlers, PrintChannel> {
  const { desk, prints } = parts;
  const signedIn = async <T>(act: () => Promise<Outcome<T>> | Outcome<T>): Promise<Outcome<T>> => {
    const { phase } = desk.status();
    return phase === 'signedIn' ? act() : failed(phase);
  };
  return {
    makePrint: (document) =>
      signedIn(async () => {
        const made = await prints.make(document);
        return made === undefined ? failed('cancelled') : done(made);
      }),
    readPrint: ({ id }) =>
      signedIn(() => {
        const pdf = prints.read(id);
        return pdf === undefined ? failed('refused') : done({ pdf });
      }),
    savePrint: ({ id }, senderId) =>
      signedIn(async () => done({ saved: await prints.save(id, senderId) })),
    sendPrint: (wanted, senderId) =>
      signedIn(async () => done({ result: await prints.send(wanted, senderId) })),
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
