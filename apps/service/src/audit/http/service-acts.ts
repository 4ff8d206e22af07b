import type { RecordAct } from '../../access/access-acts.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AuditUnavailableError, type AuditRecorder } from '@caregate/audit-log';
import { accessActEntry } from '../record-acts.ts';
import { recordWithin } from './record-within.ts';

/**
 * Records what callers do with grants, before it takes effect. If it cannot be recorded, the request is answered with 503
 * and nothing has changed; a record that becomes durable later is followed by one that says so.
 */
export function serviceActs(audit: AuditRecorder): RecordAct {
  return async (act, decision) => {
    const ifLate = decision === 'failed' ? undefined : accessActEntry(act, 'failed');
    try {
      await recordWithin(audit, accessActEntry(act, decision), ifLate);
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
