import { nodeDisk } from '../disk/node-disk.ts';
import { lockFolder } from './lock/folder-lock.ts';
import { logPaths } from './layout.ts';
import { LogWriter, type LogWriterOptions } from './log-writer.ts';

export interface LockedLogOptions extends Omit<LogWriterOptions, 'disk'> {
  readonly busyTimeoutMs: number;
}

export interface LockedLog {
  readonly log: LogWriter;
  close(): void;
}

/** @throws LogRefusedError if a start refuses the log or another process writes it, AuditLogError if a part is no plain file */
export function openLocked({ busyTimeoutMs, ...options }: LockedLogOptions): LockedLog {
  const paths = logPaths(options.dataDir);
  nodeDisk.makeFolder(paths.audit);
  const lock = lockFolder(paths, busyTimeoutMs);
  try {
    const log = new LogWriter({ ...options, disk: nodeDisk });
    const close = (): void => {
      try {
        log.close();
      } finally {
        lock.release();
      }
    };
    return { log, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}
