import type { NewRecord } from '../entry/body.ts';
import type { Breach } from '../errors.ts';
import type { Refusal } from '../folder/log-refused.ts';

export type WriterRequest =
  | { readonly kind: 'append'; readonly records: readonly NewRecord[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

/** Replies come in the order of their requests. */
export type WriterReply =
  | { readonly kind: 'opened'; readonly logId: string; readonly verifierKey: string }
  | {
      readonly kind: 'appended';
      /** Number of the first record; the others follow it without a gap. */
      readonly firstSeq: number;
      /** How many requests it answers, which were made durable together. */
      readonly requests: number;
      readonly groups: number;
      readonly syncMs: number;
    }
  | { readonly kind: 'signed'; readonly note: string }
  | { readonly kind: 'closed' }
  | WriterFailure;

/** The last message of a backend: it has closed the log. */
export interface WriterFailure {
  readonly kind: 'failed';
  readonly message: string;
  readonly breach?: Breach | undefined;
  readonly seq?: number | undefined;
  readonly refusal?: Refusal | undefined;
}

/** Writes one opened log: a thread, or a database session. MUST NOT send events after it has ended. */
export interface LogBackend {
  /** Requests that may be on their way at once: 1 if each waits for the reply to the one before. */
  readonly mostRequests: number;
  ask(request: WriterRequest): void;
}

export interface BackendEvents {
  readonly reply: (reply: WriterReply) => void;
  /** The log is closed; with the failure if it was not reported by a reply. */
  readonly ended: (failure: Error | undefined) => void;
}

/** Opens the log; called again after each end. */
export type StartBackend = (events: BackendEvents) => LogBackend;
