import type pg from 'pg';
import { logOfDatabase } from '../offline/one-log.ts';
import { recordInDatabase } from '../offline/record-command.ts';
import { commandEntry } from '../system-record.ts';
import { NoAuditLogError } from '../log/audit-reader.ts';
import { listLogs } from '../postgres/log-reader.ts';
import { exportLog, exportRecords } from './export-postgres.ts';
import { writeExport, type ExportOrder } from './run-export.ts';

/**
 * Exports the logs of a database, or the one that is named: NDJSON one log, FHIR and CSV any number. The record of this
 * export is in a log of the data folder's key.
 *
 * @throws NoAuditLogError where there is no such log, or NDJSON is asked of many
 */
export async function runExportPostgres(
  pool: pg.Pool,
  url: string,
  order: Omit<ExportOrder, 'dataDir'> & {
    readonly dataDir: string | undefined;
    readonly log: string | undefined;
  },
): Promise<void> {
  const { format, filter, asked, log } = order;
  const named = (await listLogs(pool)).filter(({ logId }) => log === undefined || logId === log);
  if (named.length === 0) {
    throw new NoAuditLogError('There is no such audit log in this database.');
  }
  const record = (): Promise<void> =>
    recordInDatabase(url, order.dataDir, [commandEntry('exportAudit', { format, ...asked })]);
  if (format === 'ndjson') {
    const one = await logOfDatabase(pool, log);
    await record();
    await writeExport(order, () => exportLog(one, filter));
    return;
  }
  await record();
  // With the log that this very export is recorded in.
  const logs = log === undefined ? await listLogs(pool) : named;
  await writeExport(order, () => exportRecords(pool, logs, { format, filter }));
}
