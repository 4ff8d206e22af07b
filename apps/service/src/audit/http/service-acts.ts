import type { RecordAct } from '../../access/access-acts.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AuditUnavailableError, type AuditReceipt } from '@caregate/audit-log';
import { accessActEntry } from '../record-acts.ts';
import { UndoneActs } from './undone-acts.ts';
import type { AuditRecorder } from '../record/audit-entry.ts';

export const RECORD_WITHIN_MS = 10_000;

/** If recording fails: 503, nothing has changed, and a later record says so. Call `settled` before the log is closed. */
export function serviceActs(
  audit: AuditRecorder,
): RecordAct & Required<Pick<RecordAct, 'settled'>> {
  const undone = new UndoneActs(audit);
  const record: RecordAct = async (act, decision) => {
    const recording = audit.record(accessActEntry(act, decision));
    try {
      await inTime(recording);
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

/** The record may still appear in the log afterwards. */
async function inTime(recording: Promise<AuditReceipt>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AuditUnavailableError('Recording took too long', 5));
    }, RECORD_WITHIN_MS);
  });
  try {
    await Promise.race([recording, late]);
  } finally {
    clearTimeout(timer);
  }
}
