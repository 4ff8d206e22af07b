import { OperatorError } from '../../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openAuditLog } from '../../audit/audit-writer.ts';
import { recordAndSign, recordInDatabase } from '../../audit/offline/record-command.ts';
import { commandEntry } from '../../audit/system-record.ts';
import { auditKeyFile } from '../../audit/log/audit-key.ts';
import { AuditReader } from '../../audit/log/audit-reader.ts';
import { RecordIds } from '../../audit/record-ids.ts';
import { onDatabase } from './audit-work.ts';
import { withAccess } from '../start/open-access.ts';

export interface LogFlags {
  readonly data: string;
  readonly log?: string;
}

/** Records what is about to be done with the log, and has it signed. */
export async function recorded(
  data: string,
  operation?: string,
  details: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const entries = operation === undefined ? [] : [commandEntry(operation, details)];
  await onDatabase(
    (_, url) => recordInDatabase(url, data, entries),
    async () => {
      // Without this a folder named wrongly would get a log of its own.
      new AuditReader(data).close();
      // A copy without the private key (an auditor's) can neither be added to nor signed: it is read as it is.
      if (existsSync(join(data, auditKeyFile))) {
        await recordAndSign(await openAuditLog(data), entries);
      }
    },
  );
}

/**
 * Where the record is whose id an answer carried.
 *
 * @throws OperatorError where no record of this data has that id
 */
export async function placeOfRecord(
  data: string,
  id: string,
): Promise<{ readonly log: string; readonly seq: number }> {
  await onDatabase(
    () => Promise.resolve(),
    () => {
      // Without this a folder named wrongly would get a store of keys of its own.
      new AuditReader(data).close();
    },
  );
  return await withAccess(data, async (access) => {
    const place = new RecordIds(await access.cursorSecret()).receiptOf(id);
    if (place === undefined) {
      throw new OperatorError('There is no record with this id.');
    }
    return { log: place.logId, seq: place.seq };
  });
}
