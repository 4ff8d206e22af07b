import type { RecordAct } from '../../access/access-acts.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AuditUnavailableError, type AuditRecorder } from '@caregate/audit-log';
import { accessActEntry } from '../record-acts.ts';
import { recordWithin } from './record-within.ts';

/**
 * Records what callers do with grants, before it takes effect. If it cannot be recorded, the request is answered with 503
 * and nothing has changed.
 */
export function serviceActs(audit: AuditRecorder): RecordAct {
  return async (act, decision) => {
    try {
      await recordWithin(audit, accessActEntry(act, decision));
    } catch (error) {
      if (!(error instanceof AuditUnavailableError)) {
        throw error;
      }
      const seconds = Math.max(1, Math.ceil(error.retryAfterSeconds));
      throw new ProblemError(
        { type: 'unavailable', headers: { 'retry-after': String(seconds) } },
        { cause: error },
      );
    }
  };
}
