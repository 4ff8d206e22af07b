import {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  LogRefusedError,
  NoAuditLogError,
  type Breach,
  type Refusal,
} from './errors.ts';

export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly breach?: Breach;
  readonly seq?: number | undefined;
  readonly kind?: Refusal;
  readonly isRefused?: boolean;
}

/** An error as a message between threads. */
export function describeError(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return {
    name,
    message,
    ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
    ...(error instanceof LogRefusedError && { kind: error.kind }),
    ...(error instanceof AuditUnavailableError && { isRefused: error.isRefused }),
  };
}

export function reviveError({
  name,
  message,
  breach,
  seq,
  kind,
  isRefused = false,
}: Failure): Error {
  if (breach !== undefined) {
    return new AuditBrokenError(breach, message, seq);
  }
  if (kind !== undefined) {
    return new LogRefusedError(kind, message);
  }
  switch (name) {
    case 'AuditUnavailableError':
      return new AuditUnavailableError(message, { isRefused });
    case 'NoAuditLogError':
      return new NoAuditLogError(message);
    case 'AuditLogError':
      return new AuditLogError(message);
    default:
      return new Error(message);
  }
}
