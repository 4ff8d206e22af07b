import {
  AuditUnavailableError,
  type AuditEntry,
  type AuditReceipt,
  type AuditRecorder,
} from '@caregate/audit-log';

/** Timeout of recording: then the response is a 503 instead of waiting for a disk. */
export const RECORD_WITHIN_MS = 10_000;

/**
 * Records within a time limit; the record may still appear in the log afterwards.
 *
 * @param ifLate recorded after an entry that becomes durable when nobody waits for it any more
 * @throws AuditUnavailableError
 */
export async function recordWithin(
  audit: AuditRecorder,
  entry: AuditEntry,
  ifLate?: AuditEntry,
): Promise<AuditReceipt> {
  const recording = audit.record(entry);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AuditUnavailableError('Recording took too long', 5));
      if (ifLate !== undefined) {
        recording.then(() => audit.record(ifLate)).catch(() => undefined);
      }
    }, RECORD_WITHIN_MS);
  });
  try {
    return await Promise.race([recording, late]);
  } finally {
    clearTimeout(timer);
  }
}
