import { AuditBrokenError } from '../errors.ts';
import { LogRefusedError } from '../folder/log-refused.ts';
import type { WriterFailure } from './log-backend.ts';

export function failureOf(error: unknown): WriterFailure {
  return {
    kind: 'failed',
    message: error instanceof Error ? error.message : 'unknown',
    ...(error instanceof AuditBrokenError && { breach: error.breach, seq: error.seq }),
    ...(error instanceof LogRefusedError && { refusal: error.kind }),
  };
}

export function errorOf({ message, breach, seq, refusal }: WriterFailure): Error {
  if (refusal !== undefined) {
    return new LogRefusedError(refusal, message);
  }
  return breach === undefined ? new Error(message) : new AuditBrokenError(breach, message, seq);
}
