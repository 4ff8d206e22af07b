import { nodeDisk } from '../disk/node-disk.ts';
import { FolderLock } from './lock/folder-lock.ts';
import { logPaths } from './layout.ts';
import { LogWriter, type LogWriterOptions } from './log-writer.ts';

export interface LockedLogOptions extends Omit<LogWriterOptions, 'disk'> {
  /** How long to wait for another process that writes the log, in milliseconds. */
  readonly busyTimeoutMs: number;
}

/** The log of a folder of this machine, which no other process writes while it is open. */
export interface LockedLog {
  readonly log: LogWriter;
  close(): void;
}

/**
 * Opens the log of an existing folder, created if the folder has none.
 *
 * @throws LogRefusedError if the log is not as it was left, or another process writes it; AuditLogError if a part of it is no
 *   plain file or folder
 */
export function openLocked({ busyTimeoutMs, ...options }: LockedLogOptions): LockedLog {
  const paths = logPaths(options.dataDir);
  nodeDisk.makeFolder(paths.audit);
  const lock = new FolderLock(paths, busyTimeoutMs);
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
