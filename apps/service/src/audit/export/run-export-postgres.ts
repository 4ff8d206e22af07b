import { NoAuditLogError } from '@caregate/audit-log';
import type pg from 'pg';
import { logOfDatabase } from '../offline/one-log.ts';
import { recordInDatabase } from '../offline/record-command.ts';
import { tellReading } from '../offline/tell-reading.ts';
import { commandEntry } from '../system-record.ts';
import { listLogs } from '@caregate/audit-log/postgres';
import { exportLog, exportRecords } from './export-postgres.ts';
import { writeExport, type ExportOrder } from './run-export.ts';

/**
 * Exports the logs of a database, or the given one: NDJSON exports one log, FHIR and CSV any number. The export is recorded
 * in a log signed with the key of the data folder.
 *
 * @throws NoAuditLogError if there is no such log, or several for NDJSON
 */
export async function runExportPostgres(
  pool: pg.Pool,
  url: string,
  order: Omit<ExportOrder, 'dataDir'> & {
    readonly dataDir: string | undefined;
    readonly log: string | undefined;
  },
): Promise<void> {
  const { format, filter, asked, log, onProgress = () => undefined } = order;
  const named = (await listLogs(pool)).filter(({ logId }) => log === undefined || logId === log);
  if (named.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  const record = (): Promise<void> =>
    recordInDatabase(url, order.dataDir, [commandEntry('exportAudit', { format, ...asked })]);
  if (format === 'ndjson') {
    const one = tellReading(await logOfDatabase(pool, log), onProgress);
    await record();
    await writeExport(order, () => exportLog(one, filter, onProgress));
    return;
  }
  await record();
  // Including the log in which this export is recorded.
  const logs = log === undefined ? await listLogs(pool) : named;
  await writeExport(order, () => exportRecords(pool, logs, { format, filter, onProgress }));
}
