import { execFile } from 'node:child_process';
import { setInterval } from 'node:timers';
import { promisify } from 'node:util';

/** Number of watchdog messages within the time after which systemd restarts the service. */
const PER_WATCHDOG = 3;

/**
 * Tells systemd that the service is ready, and then regularly that its event loop runs. Does nothing without systemd.
 * If the service hangs, it sends nothing, and systemd restarts it (`WatchdogSec`). @returns a function that stops the
 * messages
 */
export async function notifySystemd(): Promise<() => void> {
  const { NOTIFY_SOCKET: socket, PATH, WATCHDOG_USEC: watchdogUs = '0' } = process.env;
  if (socket === undefined) {
    return () => undefined;
  }
  const send = async (message: string): Promise<void> => {
    // Node doesn't support datagram Unix sockets.
    const env = { NOTIFY_SOCKET: socket, PATH };
    await promisify(execFile)('systemd-notify', [message], { env }).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      process.stderr.write(`systemd-notify did not send ${message}: ${String(code)}\n`);
    });
  };
  await send('READY=1');
  const everyMs = Number(watchdogUs) / 1000 / PER_WATCHDOG;
  if (!(everyMs > 0)) {
    return () => undefined;
  }
  const timer = setInterval(() => void send('WATCHDOG=1'), everyMs).unref();
  return () => {
    clearInterval(timer);
  };
}
