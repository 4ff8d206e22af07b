import type { RecordAct } from '../../auth/access-acts.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AuditUnavailableError, type AuditReceipt } from '@caregate/audit-log';
import { accessActEntry } from '../record-acts.ts';
import type { AuditRecorder } from '../record/audit-entry.ts';

export const RECORD_WITHIN_MS = 10_000;

/** Records administrative acts. If recording fails, the caller gets a 503 and nothing has changed. */
export function serviceActs(audit: AuditRecorder): RecordAct {
  return async (act, decision) => {
    const recording = audit.record(accessActEntry(act, decision));
    try {
      await inTime(recording);
    } catch (error) {
      if (decision === 'allowed') {
        // If the record gets into the log after all, another one says that the act did not take effect.
        recording.then(() => audit.record(accessActEntry(act, 'failed'))).catch(() => undefined);
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
}

async function inTime(recording: Promise<AuditReceipt>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new AuditUnavailableError('Recording took too long', {
          retryAfterSeconds: 5,
          isRefused: false,
        }),
      );
    }, RECORD_WITHIN_MS);
  });
  try {
    await Promise.race([recording, late]);
  } finally {
    clearTimeout(timer);
  }
}
