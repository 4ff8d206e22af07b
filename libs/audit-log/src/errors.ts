/** An error for the user of a command. Nothing was changed. */
export class AuditLogError extends Error {
  override readonly name: string = 'AuditLogError';
}

export class NoAuditLogError extends AuditLogError {
  override readonly name = 'NoAuditLogError';
}

/** A checkpoint or public key is malformed, or its signature is invalid. */
export class BadCheckpointError extends AuditLogError {
  override readonly name = 'BadCheckpointError';
}

/** Why a log is refused: the log, its key or both are missing or in the wrong place. */
export type Refusal = 'no_log' | 'no_key' | 'wrong_key' | 'key_elsewhere';

/** Opening a log is refused, although the log may be intact. The message says what to do. */
export class LogRefusedError extends AuditLogError {
  override readonly name = 'LogRefusedError';
  readonly kind: Refusal;

  constructor(kind: Refusal, message: string) {
    super(message);
    this.kind = kind;
  }
}

export type Breach = 'altered' | 'truncated' | 'forked' | 'bad_signature' | 'gap';

/** The stored log differs from the one that was signed. */
export class AuditBrokenError extends Error {
  override readonly name = 'AuditBrokenError';
  readonly breach: Breach;
  /** Number of the first affected record, if known. */
  readonly seq: number | undefined;

  constructor(breach: Breach, message: string, seq?: number) {
    super(message);
    this.breach = breach;
    this.seq = seq;
  }
}

export function requireIntact(
  condition: boolean,
  breach: Breach,
  message: string,
  seq?: number,
): asserts condition {
  if (!condition) {
    throw new AuditBrokenError(breach, message, seq);
  }
}

/** The log can't record anything, so no data may be returned. The service answers 503 with this `Retry-After`. */
export class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError';
  readonly retryAfterSeconds: number;
  /** True if the record is certainly not in the log. False if it may be in the log, or appear later. */
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

/** An error as a message between threads, since an Error would lose its class. */
export interface ErrorMessage {
  readonly name: string;
  readonly message: string;
}

/** A class whose name is also that of its errors. */
export interface ErrorClass {
  readonly name: string;
  readonly prototype: Error;
}

const ownClasses: readonly ErrorClass[] = [
  AuditLogError,
  NoAuditLogError,
  BadCheckpointError,
  LogRefusedError,
  AuditBrokenError,
  AuditUnavailableError,
];

export function packError(error: unknown): ErrorMessage {
  const found = error instanceof Error ? error : new Error(String(error));
  const fields = Object.entries(found).filter(([, value]) => typeof value !== 'object');
  return { ...Object.fromEntries(fields), name: found.name, message: found.message };
}

export function unpackError(
  { message, ...fields }: ErrorMessage,
  classes: readonly ErrorClass[] = [],
): Error {
  const type = [...ownClasses, ...classes].find(({ name }) => name === fields.name) ?? Error;
  const error = Object.setPrototypeOf(new Error(message), type.prototype) as Error;
  return Object.assign(error, fields);
}
