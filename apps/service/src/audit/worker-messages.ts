import type { AppendOptions, NewRecord } from './log/append-log.ts';
import type { Breach } from './log/audit-broken-error.ts';

export interface WorkerSettings extends AppendOptions {
  readonly dataDir: string;
  readonly busyTimeoutMs: number;
}

/** Sent one at a time: the next one follows the reply. */
export type WorkerRequest =
  | { readonly kind: 'append'; readonly records: readonly NewRecord[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

export type WorkerReply =
  | { readonly kind: 'opened'; readonly logId: string; readonly verifierKey: string }
  | { readonly kind: 'appended'; readonly firstSeq: number }
  | { readonly kind: 'signed'; readonly note: string }
  | { readonly kind: 'closed' }
  /** The last message of a thread: it has closed the file. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly breach?: Breach;
      readonly seq?: number | undefined;
    };

/** Writes one opened log: a thread, or a database session. MUST NOT send events after it has ended. */
export interface LogBackend {
  /**
   * Whether the first record of a tick waits for the others, for fewer and larger commits: useful if each is a round trip
   * to a server. A thread should start immediately.
   */
  readonly gathers: boolean;
  ask(request: WorkerRequest): void;
}

export interface BackendEvents {
  readonly reply: (reply: WorkerReply) => void;
  /** The log is closed; with the failure if it was not reported by a reply. */
  readonly ended: (failure: Error | undefined) => void;
}

/** Opens the log; called again after each end. */
export type StartBackend = (events: BackendEvents) => LogBackend;
