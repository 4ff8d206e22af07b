/** An error whose message is for whoever runs a command: nothing was changed. */
export class AuditLogError extends Error {
  override readonly name: string = 'AuditLogError';
}

export class NoAuditLogError extends AuditLogError {
  override readonly name = 'NoAuditLogError';
}

/** A checkpoint or public key with an invalid format or signature. */
export class BadCheckpointError extends AuditLogError {
  override readonly name = 'BadCheckpointError';
}

/**
 * Why a log is not opened although it may be whole: its key, the log itself or both are not where they were, or it is signed by
 * another key.
 */
export type Refusal = 'no_log' | 'no_key' | 'wrong_key' | 'key_elsewhere' | 'in_use';

/** A log that a start refuses; the message says how to go on. */
export class LogRefusedError extends AuditLogError {
  override readonly name = 'LogRefusedError';
  readonly kind: Refusal;

  constructor(kind: Refusal, message: string) {
    super(message);
    this.kind = kind;
  }
}

export type Breach = 'altered' | 'truncated' | 'forked' | 'bad_signature' | 'gap';

/** The stored log is not the one that was signed. */
export class AuditBrokenError extends Error {
  override readonly name = 'AuditBrokenError';
  readonly breach: Breach;
  /** The first record that is affected, if it is known. */
  readonly seq: number | undefined;

  constructor(breach: Breach, message: string, seq?: number) {
    super(message);
    this.breach = breach;
    this.seq = seq;
  }
}

/** Nothing can be recorded, so no data may be returned: answer 503 with this `Retry-After`. */
export class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError';
  readonly retryAfterSeconds: number;
  /** True if the record is certainly not in the log; false if it may be there, or appear there later. */
  readonly isRefused: boolean;

  constructor(
    message: string,
    {
      retryAfterSeconds = 1,
      isRefused = true,
      cause,
    }: { retryAfterSeconds?: number; isRefused?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
    this.isRefused = isRefused;
  }
}
