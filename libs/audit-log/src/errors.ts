/** An error whose message is for whoever runs a command: nothing was changed. */
export class AuditLogError extends Error {
  override readonly name: string = 'AuditLogError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
  }
}

export class NoAuditLogError extends AuditLogError {
  override readonly name = 'NoAuditLogError';
}

/** A checkpoint or key with an invalid format or signature. */
export class BadCheckpointError extends AuditLogError {
  override readonly name = 'BadCheckpointError';
}

export type Breach = 'altered' | 'truncated' | 'forked' | 'bad_signature' | 'gap';

/** The stored log failed verification. */
export class AuditBrokenError extends Error {
  override readonly name = 'AuditBrokenError';
  readonly breach: Breach;
  /** The first affected record, if known. */
  readonly seq: number | undefined;

  constructor(breach: Breach, message: string, seq?: number) {
    super(message);
    this.breach = breach;
    this.seq = seq;
  }
}

export class MissingNodeError extends AuditBrokenError {
  constructor(level: number, index: number) {
    super('gap', `Node ${level}/${index} of the tree is missing`);
  }
}

/** Nothing can be recorded, so no data may be returned: respond with 503 and this `Retry-After`. */
export class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError';
  readonly retryAfterSeconds: number;
  /** The record was never written. Otherwise it may be. */
  readonly isRefused: boolean;

  constructor(
    message: string,
    retryAfterSeconds: number,
    { isRefused = false, ...options }: ErrorOptions & { readonly isRefused?: boolean } = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
    this.isRefused = isRefused;
  }
}

/** The change of a key may be in the log. */
export function keyUnsure(cause: unknown): AuditUnavailableError {
  return new AuditUnavailableError(
    'The log did not confirm the new key, so either key may sign. Keep both files: the next start, or the next command that is recorded, finds out (caregate audit public-key)',
    1,
    { cause },
  );
}
