import { execFile } from 'node:child_process';
import { setInterval } from 'node:timers';
import { promisify } from 'node:util';

/** Messages of the watchdog in the time after which systemd restarts the service. */
const PER_WATCHDOG = 3;

/**
 * Tells systemd that the service is ready, and from then on that its event loop turns; does nothing without systemd. A service that hangs
 * sends nothing, and systemd restarts it (`WatchdogSec`). @returns a function that ends this
 */
export async function notifySystemd(): Promise<() => void> {
  const { NOTIFY_SOCKET: socket, PATH, WATCHDOG_USEC: watchdogUs = '0' } = process.env;
  if (socket === undefined) {
    return () => undefined;
  }
  const send = async (message: string): Promise<void> => {
    // Node has no datagram Unix sockets.
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
