import { AuditUnavailableError, type AuditReceipt } from '@caregate/audit-log';

/** Timeout of recording: then the response is a 503 instead of waiting for a disk. */
export const RECORD_WITHIN_MS = 10_000;

/**
 * Waits for a recording within a time limit; the record may still appear in the log afterwards.
 *
 * @throws AuditUnavailableError
 */
export async function recordWithin(recording: Promise<AuditReceipt>): Promise<AuditReceipt> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AuditUnavailableError('Recording took too long', 5));
    }, RECORD_WITHIN_MS);
  });
  try {
    return await Promise.race([recording, late]);
  } finally {
    clearTimeout(timer);
  }
}
