import { AuditUnavailableError, type AuditReceipt } from '@caregate/audit-log';
import type { RecordAct } from '../auth/access-acts.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { buildAccessActEntry } from './audit-entries.ts';
import type { AuditRecorder } from './audit-record.ts';

export const RECORD_TIMEOUT_MS = 10_000;

/** @throws AuditUnavailableError also if the record isn't durable in time. It may then still appear in the log. */
export function recordInTime(recording: Promise<AuditReceipt>): Promise<AuditReceipt> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = { retryAfterSeconds: 5, isRefused: false };
      reject(new AuditUnavailableError('Recording took too long', late));
    }, RECORD_TIMEOUT_MS).unref();
    recording.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

export function formatRetryAfter(error: AuditUnavailableError): { readonly 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) };
}

/** Records administrative actions. If recording fails, the caller gets a 503 and nothing has changed. */
export function createActRecorder(audit: AuditRecorder): RecordAct {
  return async (act, decision) => {
    const recording = audit.record(buildAccessActEntry(act, decision));
    try {
      await recordInTime(recording);
    } catch (error) {
      if (decision === 'allowed') {
        // If the record gets into the log after all, another record says that the action didn't take effect.
        recording
          .then(() => audit.record(buildAccessActEntry(act, 'failed')))
          .catch(() => undefined);
      }
      if (!(error instanceof AuditUnavailableError)) {
        throw error;
      }
      throw new ProblemError(
        { type: 'unavailable', headers: formatRetryAfter(error) },
        { cause: error },
      );
    }
  };
}
