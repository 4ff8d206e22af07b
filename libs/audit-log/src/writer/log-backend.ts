import { AuditBrokenError, AuditLogError, type Breach } from '../errors.ts';
import { LogRefusedError, type Refusal } from '../folder/log-refused.ts';

export type WriterRequest =
  | { readonly kind: 'append'; readonly texts: readonly string[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'rotate'; readonly actorId: string }
  | { readonly kind: 'close' };

/** Replies come in the order of their requests. */
export type WriterReply =
  | { readonly kind: 'opened'; readonly logId: string; readonly verifierKey: string }
  | {
      readonly kind: 'appended';
      /** Number of the first record; the others follow it without a gap. */
      readonly firstSeq: number;
      /** Requests answered, made durable together. */
      readonly requests: number;
      readonly groups: number;
      readonly syncMs: number;
    }
  | { readonly kind: 'signed'; readonly note: string }
  | {
      readonly kind: 'rotated';
      readonly note: string;
      readonly verifierKey: string;
      readonly size: number;
    }
  /** The key can't be replaced; nothing is changed. */
  | { readonly kind: 'kept'; readonly message: string }
  | { readonly kind: 'closed' }
  | WriterFailure;

export interface WriterFailure {
  readonly kind: 'failed';
  readonly message: string;
  readonly breach?: Breach | undefined;
  readonly seq?: number | undefined;
  readonly refusal?: Refusal | 'other' | undefined;
}

/** Writes one opened log: a thread or a database session. MUST NOT send events after it ended. */
export interface LogBackend {
  readonly mostRequests: number;
  ask(request: WriterRequest): void;
}

export interface BackendEvents {
  readonly reply: (reply: WriterReply) => void;
  /** The log is closed; with the failure if no reply reported it. */
  readonly ended: (failure: Error | undefined) => void;
}

/** Opens the log; called again after each end. */
export type StartBackend = (events: BackendEvents) => LogBackend;

export function failureOf(error: unknown): WriterFailure {
  return {
    kind: 'failed',
    message: error instanceof Error ? error.message : 'unknown',
    ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
    ...(error instanceof AuditLogError && {
      refusal: error instanceof LogRefusedError ? error.kind : 'other',
    }),
  };
}

export function errorOf({ message, breach, seq, refusal }: WriterFailure): Error {
  if (refusal !== undefined) {
    return refusal === 'other' ? new AuditLogError(message) : new LogRefusedError(refusal, message);
  }
  return breach === undefined ? new Error(message) : new AuditBrokenError(breach, message, seq);
}
