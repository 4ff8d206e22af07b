import { appendFileSync, existsSync } from 'node:fs';

/** Notes a process that a test has started or ended: what a failed test leaves behind, the tear-down ends. */
export function trackProcess(what: 'started' | 'ended', pid: number | undefined): void {
  const file = process.env['DESKTOP_PROCESSES'];
  // Gone where the tear-down itself is what ends it.
  if (file !== undefined && pid !== undefined && existsSync(file)) {
    appendFileSync(file, `${what} ${String(pid)}\n`);
  }
}
