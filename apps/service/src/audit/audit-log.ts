import { EventEmitter } from 'node:events';
import type { AuditRecorder } from './audit-entry.ts';

/** What befalls a log while it is open; the message names no data. */
export class AuditLogEvents extends EventEmitter<{
  /** It takes no records for now. */
  interrupted: [message: string];
  /** It takes records again. */
  resumed: [message: string];
}> {}

export interface AuditLogOptions {
  /** First part of the name that checkpoints carry, `<host>/audit/<log id>`; kept from the log's first start. */
  readonly host?: string;
  /** Which instance wrote a record; default the host. */
  readonly serverId?: string;
  /** Records that may wait; more are refused. Default 10,000. */
  readonly queueLimit?: number;
  /** Default 60,000. */
  readonly checkpointEveryMs?: number;
  /** Default 1,000. */
  readonly checkpointEveryRecords?: number;
  /** How long a commit waits for another process's, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Told when the log latches and when it takes records again; the message names no data. */
  readonly onStateChange?: (state: 'latched' | 'open', message: string) => void;
}

export interface AuditLogState {
  readonly queued: number;
  readonly latched: boolean;
  /** Records this process has written so far. */
  readonly written: number;
  /** Commits of records so far: far fewer than records under load. */
  readonly commits: number;
}

export interface AuditLog extends AuditRecorder {
  readonly logId: string;
  /** Public half of the log's key, as a C2SP verifier key: `<name>+<key id>+<key>`. */
  readonly verifierKey: string;
  state(): AuditLogState;
  /** Signs the tree as it is now and gives the note; the last one again where nothing was added since. */
  checkpoint(): Promise<string>;
}
