import { EventEmitter } from 'node:events';
import type { AuditRecorder } from '../entry/audit-entry.ts';

/** State changes of an open log; the message contains no data. */
export class AuditLogEvents extends EventEmitter<{
  /** The log has latched: it accepts no records for now. Again with each other reason, and each minute that it lasts. */
  interrupted: [message: string];
  /** The log accepts records again. */
  resumed: [message: string];
}> {}

export interface AuditLogOptions {
  /** First part of the name on checkpoints, `<host>/audit/<log id>`; fixed when the log is created. */
  readonly host?: string;
  /**
   * What shows, outside the log of a data folder, that it had one, in words: then no new one is begun where log and key are
   * missing.
   */
  readonly hadLog?: string | undefined;
  /** The instance that wrote a record; default: the host. */
  readonly serverId?: string;
  /** Maximum number of queued records. Default 10,000. */
  readonly queueLimit?: number;
  /** How often a checkpoint is signed while records come. Default 1,000. */
  readonly checkpointEveryMs?: number;
  /** How long an open or a commit waits for the lock of another process, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /**
   * Called when the log latches, again with each other reason and each minute that it stays so, and when it accepts records
   * again; the message has the reason and no data.
   */
  readonly onStateChange?: (state: 'latched' | 'open', message: string) => void;
  /**
   * On PostgreSQL: called when its checkpoints cannot be kept in the data folder any more, and when they can be again; the
   * message contains no data.
   */
  readonly onKeptChange?: (isKept: boolean, message: string) => void;
}

export interface AuditLogState {
  readonly queued: number;
  readonly latched: boolean;
  /** Number of records written by this process. */
  readonly written: number;
  /** Number of groups that they were made durable in: under load, far fewer than records. */
  readonly groups: number;
  /** What making the groups durable took: all together, and the last one. */
  readonly syncMs: { readonly sum: number; readonly last: number };
}

export interface AuditLog extends AuditRecorder {
  readonly logId: string;
  /** Public key of the log, as a C2SP verifier key: `<name>+<key id>+<key>`. */
  readonly verifierKey: string;
  state(): AuditLogState;
  /** Signs the current tree and returns the checkpoint; the previous one if nothing was added since. */
  checkpoint(): Promise<string>;
}
