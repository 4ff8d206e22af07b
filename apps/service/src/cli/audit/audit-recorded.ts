import { existsSync } from 'node:fs';
import { SigningKey } from '@caregate/audit-log';
import { inFolder } from '../../audit/offline/open-log.ts';
import { recordActs } from '../../audit/record-acts.ts';
import { commandEntry } from '../../audit/system-record.ts';
import { onDatabase } from './audit-work.ts';

/** Records the command in the log. @returns the checkpoint of a folder, whose last record is this one */
export async function recorded(
  data: string,
  operation: string,
  details: Readonly<Record<string, string | number>> = {},
): Promise<string | undefined> {
  const entries = [commandEntry(operation, details)];
  return await onDatabase(
    async (database) => {
      await recordActs({ dataDir: data, database }, entries);
      return undefined;
    },
    async () => {
      // A mistyped folder must not get a new log; a copy without the private key, such as an auditor's, is read-only.
      const checkpoint = await inFolder(data, async (log) => (await log.tree()).checkpoint);
      return existsSync(new SigningKey(data).file)
        ? await recordActs({ dataDir: data }, entries)
        : checkpoint;
    },
  );
}
