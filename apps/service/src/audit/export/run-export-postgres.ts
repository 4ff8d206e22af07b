import type pg from 'pg';
import { logsOfDatabase } from '../offline/one-log.ts';
import { recordInDatabase } from '../offline/record-command.ts';
import { tellReading } from '../offline/tell-reading.ts';
import { commandEntry } from '../system-record.ts';
import { exportText } from './export-text.ts';
import { writeExport, type ExportOrder } from './run-export.ts';

/**
 * Exports the logs of a database, or the given one: NDJSON exports one log, FHIR and CSV any number. The export is recorded
 * in a log signed with the key of the data folder.
 *
 * @throws NoAuditLogError if there is no such log, or several for NDJSON; AuditBrokenError if one does not hold: then there
 *   is no file
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
  const isOne = format === 'ndjson';
  const before = await logsOfDatabase(pool, { logId: log, isOne });
  await recordInDatabase(url, order.dataDir, [commandEntry('exportAudit', { format, ...asked })]);
  // Including the log in which this export is recorded.
  const logs = isOne ? before : await logsOfDatabase(pool, { logId: log });
  await writeExport(order, () =>
    exportText(
      logs.map((one) => tellReading(one, onProgress)),
      { format, filter },
    ),
  );
}
