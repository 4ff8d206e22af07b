import { OperatorError } from '../../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { inFolder, openLog } from '../../audit/offline/open-log.ts';
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

/** Records the command in the log and signs it. @returns the checkpoint of a folder, whose last record is this one */
export async function recorded(
  data: string,
  operation?: string,
  details: Readonly<Record<string, string | number>> = {},
): Promise<string | undefined> {
  const entries = operation === undefined ? [] : [commandEntry(operation, details)];
  return await onDatabase(
    async (_, database) => {
      await recordActs({ dataDir: data, database }, entries);
      return undefined;
    },
    // A mistyped folder must not get a new log; a copy without the private key, such as an auditor's, is read-only.
    () =>
      inFolder(data, async (log) =>
        existsSync(logPaths(data).key)
          ? await recordActs({ dataDir: data }, entries)
          : log.checkpoint(),
      ),
  );
}

/** @throws OperatorError if no record has this id */
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
    const place = new RecordIds(await access.secrets.permanent()).receiptOf(id);
    if (place === undefined) {
      throw new OperatorError('No record has this id.');
    }
    return { log: place.logId, seq: place.seq };
  });
}
