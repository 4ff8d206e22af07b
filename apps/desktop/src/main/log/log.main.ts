import { join } from 'node:path';
import { app } from 'electron';
import log from 'electron-log/node';
import { redact } from './redact.ts';

/** Words for events, known when they are written: the log has no free text, so it can hold nobody's name. */
export type LogEvent =
  | 'started'
  | 'signed-in'
  | 'signed-out'
  | 'locked'
  | 'unlocked'
  | 'call-refused'
  | 'call-failed'
  | 'navigation-denied'
  | 'window-denied'
  | 'permission-denied'
  | 'witness-broken'
  | 'page-crashed'
  | 'failed';

/** A small local file, for support. Details are counts, names of channels and kinds; all text is redacted once more. */
export function startLog(): (event: LogEvent, details?: Readonly<Record<string, string>>) => void {
  log.transports.console.level = false;
  log.transports.file.level = 'info';
  log.transports.file.maxSize = 512 * 1024;
  log.transports.file.resolvePathFn = () => join(app.getPath('userData'), 'logs', 'desktop.log');
  return (event, details = {}) => {
    const words = Object.entries(details).map(([name, value]) => `${name}=${redact(value)}`);
    log.info([event, ...words].join(' '));
  };
}
