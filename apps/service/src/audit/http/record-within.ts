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
 * @throws AuditUnavailableError
 */
export async function recordWithin(
  audit: AuditRecorder,
  entry: AuditEntry,
  milliseconds = RECORD_WITHIN_MS,
): Promise<AuditReceipt> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AuditUnavailableError('Recording took too long', 5));
    }, milliseconds);
  });
  try {
    return await Promise.race([audit.record(entry), late]);
  } finally {
    clearTimeout(timer);
  }
}
