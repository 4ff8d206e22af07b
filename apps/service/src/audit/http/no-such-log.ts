import { invalidParameters } from '../../problem/problem-error.ts';
import { UnknownLogError } from '../trail/audit-trail.ts';

/** For `catch`: a log that is not there is a wrong parameter. */
export function noSuchLog(error: unknown): never {
  if (error instanceof UnknownLogError) {
    throw invalidParameters({ parameter: 'log', reason: 'is not a log of this service' });
  }
  throw error;
}
