import type { AppendOptions, NewRecord } from './log/append-log.ts';
import type { Breach } from './log/audit-broken-error.ts';

export interface WorkerSettings extends AppendOptions {
  readonly dataDir: string;
  readonly busyTimeoutMs: number;
}

/** One at a time: the next follows the answer. */
export type WorkerRequest =
  | { readonly kind: 'append'; readonly records: readonly NewRecord[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

export type WorkerReply =
  | { readonly kind: 'opened'; readonly logId: string; readonly verifierKey: string }
  | { readonly kind: 'appended'; readonly firstSeq: number }
  | { readonly kind: 'signed'; readonly note: string }
  | { readonly kind: 'closed' }
  /** The last word of a thread: it has let go of the file. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly breach?: Breach;
      readonly seq?: number | undefined;
    };

/** What writes one opened log: a thread, or a session of a database. It tells of nothing after its end. */
export interface LogBackend {
  /**
   * Whether the first record of a moment waits for the others, that comes to fewer and larger commits: worth it where
   * each is a way to a server. A thread beside this one had better begin at once.
   */
  readonly gathers: boolean;
  ask(request: WorkerRequest): void;
}

export interface BackendEvents {
  readonly reply: (reply: WorkerReply) => void;
  /** It has let go of the log; with what went wrong where it could not say so itself. */
  readonly ended: (failure: Error | undefined) => void;
}

/** Opens the log, again after each end. */
export type StartBackend = (events: BackendEvents) => LogBackend;
