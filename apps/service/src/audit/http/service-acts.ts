import type { RecordAct } from '../../access/access-acts.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AuditUnavailableError, type AuditRecorder } from '@caregate/audit-log';
import { accessActEntry } from '../record-acts.ts';
import { recordWithin } from './record-within.ts';
import { UndoneActs } from './undone-acts.ts';

/**
 * Records what callers do with grants, before it takes effect. If it cannot be recorded, the request is answered with 503
 * and nothing has changed; a record that is or may be in the log all the same is followed by one that says so. `settled`
 * waits for those: call it before the log is closed.
 */
export function serviceActs(
  audit: AuditRecorder,
): RecordAct & Required<Pick<RecordAct, 'settled'>> {
  const undone = new UndoneActs(audit);
  const record: RecordAct = async (act, decision) => {
    const recording = audit.record(accessActEntry(act, decision));
    try {
      await recordWithin(recording);
    } catch (error) {
      const failed = accessActEntry(act, 'failed');
      if (decision === 'failed') {
        undone.again(recording, failed);
      } else {
        undone.add(recording, failed);
      }
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
  return Object.assign(record, { settled: () => undone.settled() });
}
