import { OperatorError } from '../../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { openLog } from '../../audit/offline/open-log.ts';
import { recordActs } from '../../audit/record-acts.ts';
import { commandEntry } from '../../audit/system-record.ts';
import { logPaths } from '@caregate/audit-log';
import { RecordIds } from '../../audit/record-ids.ts';
import { onDatabase } from './audit-work.ts';
import { withAccess } from '../start/open-access.ts';

export interface LogFlags {
  readonly data: string;
  readonly log?: string;
}

/** Records the command in the log and signs it. */
export async function recorded(
  data: string,
  operation?: string,
  details: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const entries = operation === undefined ? [] : [commandEntry(operation, details)];
  await onDatabase(
    (_, url) => recordActs({ dataDir: data, databaseUrl: url }, entries),
    async () => {
      // A mistyped folder must not get a new log.
      openLog(data).close();
      // A copy without the private key, such as an auditor's, is read-only.
      if (existsSync(logPaths(data).key)) {
        await recordActs({ dataDir: data, databaseUrl: '' }, entries);
      }
    },
  );
}

/**
 * The position of the record with this id.
 *
 * @throws OperatorError if no record has this id
 */
export async function placeOfRecord(
  data: string,
  id: string,
): Promise<{ readonly log: string; readonly seq: number }> {
  await onDatabase(
    () => Promise.resolve(),
    () => {
      // A mistyped folder must not get a new key store.
      openLog(data).close();
    },
  );
  return await withAccess(data, async (access) => {
    const place = new RecordIds(await access.cursorSecret()).receiptOf(id);
    if (place === undefined) {
      throw new OperatorError('No record has this id.');
    }
    return { log: place.logId, seq: place.seq };
  });
}
