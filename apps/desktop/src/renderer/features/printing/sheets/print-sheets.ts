import type { SendRequest, Sent } from '../../../../shared/print.ts';
import { unwrap } from '../../../api/service-call.ts';
import type { withSheets } from './lay-sheets.ts';

type Request = Omit<SendRequest, 'pages'>;

/** A printer gets all sheets that are laid out in the page: one such print at a time. */
let turn: Promise<unknown> = Promise.resolve();
/** The system dialog of an aborted print is still open: it would print another's sheets. */
let isLeftOpen = false;

/** Resolves to whether it was sent. Aborting cancels it in main. */
export async function print(
  request: Request,
  signal: AbortSignal,
  onSheets = onLaidSheets,
): Promise<boolean> {
  signal.throwIfAborted();
  const cancel = (): void => {
    void window.caregate.cancelPrint({ id: request.id });
  };
  signal.addEventListener('abort', cancel);
  try {
    const { result } = await send(request, false);
    if (result !== 'pagesNeeded') return result === 'sent';
    const printer = { isStarted: false };
    const show = (leave: () => void): Promise<boolean> => {
      printer.isStarted = true;
      return showSheets(request, signal, leave);
    };
    try {
      return await inTurn((leave) => {
        signal.throwIfAborted();
        return onSheets(request.id, signal, () => show(leave));
      });
    } finally {
      // Main waits for the sheets of a recorded print.
      if (!printer.isStarted) cancel();
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Queues; `leave` releases the next job early. */
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
  request: Request,
  signal: AbortSignal,
  leave: () => void,
): Promise<boolean> {
  const leaveOpen = (): void => {
    isLeftOpen = true;
    leave();
  };
  // A printer finishes by itself, a dialog doesn't.
  if (request.printer === undefined) signal.addEventListener('abort', leaveOpen);
  try {
    return (await send(request, true)).result === 'sent';
  } finally {
    signal.removeEventListener('abort', leaveOpen);
    isLeftOpen = false;
  }
}

function send(request: Request, pages: boolean): Promise<Sent> {
  return unwrap(window.caregate.sendPrint({ ...request, pages }));
}

/** Loads pdf.js with the first sheets. */
const onLaidSheets: typeof withSheets = async (...args) =>
  (await import('./lay-sheets.ts')).withSheets(...args);
