import { setTimeout as sleep } from 'node:timers/promises';
import { makeBatch, type Appender } from './appender.ts';
import { AuditBrokenError, AuditLogError, AuditUnavailableError } from './errors.ts';
import type { RecordText } from './record.ts';
import type { LogStorage } from './storage/storage.ts';

/** For how long records wait for a storage that was lost, in milliseconds. */
const RETRY_MS = 5000;
const PAUSE_MS = 20;

/**
 * Appends records, after a lost connection too: a commit whose outcome is unknown is looked up before it is repeated.
 *
 * @returns the number of the first record
 * @throws AuditUnavailableError, which says whether the records can still appear; AuditBrokenError; AuditLogError
 */
export async function appendBatch(
  { appender, storage }: { readonly appender: Appender; readonly storage: LogStorage },
  texts: readonly RecordText[],
): Promise<number> {
  const batch = makeBatch(texts);
  const until = performance.now() + RETRY_MS;
  for (;;) {
    try {
      const { first } = await appender.append(batch);
      return first;
    } catch (error) {
      if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
        throw error;
      }
      if (!storage.isLost(error)) {
        const found = await appender.lookUp(batch).catch(() => {
          throw unavailable(error, { isRefused: false });
        });
        if (found === undefined) {
          throw unavailable(error, { isRefused: true });
        }
        return found.first;
      }
      if (performance.now() > until) {
        throw unavailable(error, { isRefused: false });
      }
      await sleep(PAUSE_MS);
    }
  }
}

function unavailable(cause: unknown, { isRefused }: { isRefused: boolean }): AuditUnavailableError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AuditUnavailableError(`The audit log cannot be written: ${why}`, { isRefused, cause });
}
