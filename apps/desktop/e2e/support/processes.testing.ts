import { appendFileSync, existsSync } from 'node:fs';

/** Notes a process that a test has started or ended, so that the teardown can end what a failed test leaves behind. */
export function trackProcess(what: 'started' | 'ended', pid: number | undefined): void {
  const file = process.env['DESKTOP_PROCESSES'];
  // The folder is missing if the teardown itself ends the process.
  if (file !== undefined && pid !== undefined && existsSync(file)) {
    appendFileSync(file, `${what} ${String(pid)}\n`);
  }
}
