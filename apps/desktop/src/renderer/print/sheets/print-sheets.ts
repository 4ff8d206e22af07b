import type { SendRequest, Sent } from '../../../bridge/print.ts';
import { unwrap } from '../../state/service-call.ts';
import type { withSheets } from './lay-sheets.ts';

type Wanted = Omit<SendRequest, 'pages'>;

/** A printer gets all the sheets that are laid out in the page: there is one such print at a time. */
let turn: Promise<unknown> = Promise.resolve();
/** The system's dialog of a print that nobody wants any more: it would print the sheets of another as that one's. */
let isLeftOpen = false;

/**
 * Prints the PDF of this id; without a printer, by the system's dialog. Whether it was sent. What needs sheets waits for
 * the sheets before it, and isn't sent while a dialog stands open that was left, over a lock say. With the signal main is
 * told that nobody wants it, and what was laid out for it is gone.
 */
export async function print(
  request: Wanted,
  signal: AbortSignal,
  onSheets: typeof withSheets = onLaidSheets,
): Promise<boolean> {
  signal.throwIfAborted();
  const cancel = (): void => {
    void window.caregate.cancelPrint({ id: request.id });
  };
  signal.addEventListener('abort', cancel);
  try {
    const result = await send(request, false);
    if (result !== 'pagesNeeded') return result === 'sent';
    const printer = { isAsked: false };
    const show = (leave: () => void): Promise<boolean> => {
      printer.isAsked = true;
      return showSheets(request, signal, leave);
    };
    try {
      return await inTurn((leave) => {
        signal.throwIfAborted();
        return onSheets(request.id, signal, () => show(leave));
      });
    } finally {
      // Main keeps what is recorded until its sheets come.
      if (!printer.isAsked) cancel();
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Does it after those before it; `leave` lets the next one come, though this one isn't through. */
function inTurn(does: (leave: () => void) => Promise<boolean>): Promise<boolean> {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const doing = turn.then(() => !isLeftOpen && does(leave));
  turn = Promise.race([left, doing.catch(() => undefined)]);
  return doing;
}

async function showSheets(
  request: Wanted,
  signal: AbortSignal,
  leave: () => void,
): Promise<boolean> {
  const leaveOpen = (): void => {
    isLeftOpen = true;
    leave();
  };
  // A printer is done by itself, a dialog only by somebody's hand.
  if (request.printer === undefined) signal.addEventListener('abort', leaveOpen);
  try {
    return (await send(request, true)) === 'sent';
  } finally {
    signal.removeEventListener('abort', leaveOpen);
    isLeftOpen = false;
  }
}

async function send(request: Wanted, pages: boolean): Promise<Sent['result']> {
  return (await unwrap(window.caregate.sendPrint({ ...request, pages }))).result;
}

/** With it comes pdf.js, which nothing before the first sheets has a use for. */
const onLaidSheets: typeof withSheets = async (...given) =>
  (await import('./lay-sheets.ts')).withSheets(...given);
