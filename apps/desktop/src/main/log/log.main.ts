import { join } from 'node:path';
import { app } from 'electron';
import log from 'electron-log/node';
import { logLine } from './log-line.ts';
import type { LogDetails, LogEvent } from './log-line.ts';

export function startLog(): (event: LogEvent, details?: LogDetails) => void {
  log.transports.console.level = false;
  log.transports.file.level = 'info';
  log.transports.file.maxSize = 512 * 1024;
  log.transports.file.resolvePathFn = () => join(app.getPath('userData'), 'logs', 'desktop.log');
  return (event, details = {}) => {
    log.info(logLine(event, details));
  };
}
