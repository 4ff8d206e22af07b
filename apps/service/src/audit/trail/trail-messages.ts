import { AuditBrokenError } from '@caregate/audit-log';
import { getErrorCode } from '@caregate/data-store/errors';
import { UnknownLogError, type OwnHead, type TrailReader } from './trail-reader.ts';

export interface TrailRequest {
  readonly id: number;
  readonly method: keyof TrailReader;
  readonly own: OwnHead;
  readonly values: unknown;
}

export type TrailReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly failure: ErrorMessage }
);

/** An error as a message between threads, since an Error would lose its class. */
interface ErrorMessage extends Partial<Pick<AuditBrokenError, 'breach' | 'seq'>> {
  readonly name: string;
  readonly message: string;
  /** Error code of an unreachable database, which leads to a 503. */
  readonly code: string;
}

export function packError(error: unknown): ErrorMessage {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = getErrorCode(error);
  return error instanceof AuditBrokenError
    ? { name, message, code, breach: error.breach, seq: error.seq }
    : { name, message, code };
}

export function unpackError({ name, message, code, breach, seq }: ErrorMessage): Error {
  if (breach !== undefined) {
    return new AuditBrokenError(breach, message, seq);
  }
  const type = [RangeError, UnknownLogError].find((one) => one.name === name) ?? Error;
  return Object.assign(new type(message), code !== '' && { code });
}
