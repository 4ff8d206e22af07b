import type { VerifyReport } from '../verify/verify-log.ts';

export interface AuditReceipt {
  readonly logId: string;
  readonly seq: number;
}

export interface AuditLogOptions {
  /** First part of the name, `<host>/audit/<log id>`, fixed when the log is created. Default: the name of this machine. */
  readonly host?: string;
  /** Called with each record that another process asks for, on its socket; throws to refuse it. Default: any JSON. */
  readonly validate?: (text: string) => void;
  /** Evidence outside the log that the folder had one: then none is created. */
  readonly hadLog?: string | undefined;
  /** Maximum number of queued records. Default 10,000. */
  readonly queueLimit?: number;
  /** How often a checkpoint is signed while records come. Default 1,000. */
  readonly checkpointEveryMs?: number;
  /** How long an open or a commit waits for the lock of another process, in milliseconds. Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** Called when the log latches, for each new reason and each minute, and when it opens again; messages contain no data. */
  readonly onStateChange?: (state: 'latched' | 'open', message: string) => void;
  /** On PostgreSQL: takes records only while it confirms commits with a standby. */
  readonly replicated?: boolean;
  /** On PostgreSQL: called when checkpoints can't be kept, and when they can be again; messages contain no data. */
  readonly onKeptChange?: (isKept: boolean, message: string) => void;
}

export interface AuditLogState {
  readonly queued: number;
  readonly latched: boolean;
  readonly written: number;
  readonly groups: number;
  /** Time to make groups durable. */
  readonly syncMs: { readonly sum: number; readonly last: number };
}

export interface AuditLog {
  readonly logId: string;
  /** Public key of the log, as a C2SP verifier key: `<name>+<key id>+<key>`. */
  readonly verifierKey: string;
  state(): AuditLogState;
  /**
   * Resolves once the record is durable: one line of text, such as JSON, of at most 1 MiB.
   *
   * @throws AuditLogError if it is another text; nothing is recorded
   * @throws AuditUnavailableError if the queue is full, the log latched or closed, or the commit failed: what is recorded MUST
   *   NOT take effect. The record of a failed commit may still appear in the log.
   */
  record(text: string): Promise<AuditReceipt>;
  close(): Promise<void>;
  /** Signs the log; returns the newest checkpoint if nothing was added. */
  checkpoint(): Promise<string>;
  /** Verifies the log as it is now, in a thread, with this share of a core. @throws AuditBrokenError at the first failure */
  verify(share: number, signal?: AbortSignal): Promise<VerifyReport>;
}
