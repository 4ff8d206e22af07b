import { createWriteStream, existsSync, openSync, rmSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { recordActs as recordInFolder, logPaths } from '@caregate/audit-log';
import type pg from 'pg';
import {
  logOfDatabase,
  logsOfDatabase,
  openOwnLog,
  type AnyLogReader,
} from '../offline/open-log.ts';
import { tellReading, type OnRecords } from '../offline/tell-reading.ts';
import { recordActs } from '../record-acts.ts';
import { commandEntry } from '../system-record.ts';
import { exportText, type ExportFormat } from './export-text.ts';
import type { RecordFilter } from './records.ts';

export interface ExportOrder {
  /** The data folder with the log, or with the key that signs the record of an export of a database. */
  readonly dataDir: string;
  readonly database?: { readonly pool: pg.Pool; readonly url: string };
  /** One of the logs of a database; by default all of them, which NDJSON cannot export. */
  readonly logId?: string | undefined;
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  readonly options: Readonly<Record<string, string>>;
  /** A new file; by default `output` is used. */
  readonly file?: string | undefined;
  readonly output: Writable;
  readonly onProgress?: OnRecords;
}

/**
 * Exports the current logs with the record of this export. Safe while the service is running. @throws NoAuditLogError,
 * AuditBrokenError: then there is no file
 */
export async function runExport(order: ExportOrder): Promise<void> {
  const { format, filter, onProgress = () => undefined } = order;
  // Opened first: a mistyped folder must not be created.
  const [before] = await opened(order);
  close(before);
  await writeText(order, async function* text() {
    const checkpoint = await recorded(order);
    const logId = format === 'ndjson' ? before?.identity().logId : order.logId;
    const logs = await opened({ ...order, logId });
    try {
      const read = logs.map((log) => tellReading(log, onProgress));
      yield* exportText(read, { format, filter, checkpoint });
    } finally {
      logs.forEach(close);
    }
  });
}

async function opened({ dataDir, database, format, logId }: ExportOrder): Promise<AnyLogReader[]> {
  if (database === undefined) {
    return [openOwnLog(dataDir)];
  }
  const { pool } = database;
  return format === 'ndjson'
    ? [await logOfDatabase(pool, logId)]
    : await logsOfDatabase(pool, logId);
}

function close(log: AnyLogReader | undefined): void {
  if (log !== undefined && 'close' in log) {
    log.close();
  }
}

/** Returns the checkpoint of a folder. A copy without the private key is only read. */
async function recorded({
  dataDir,
  database,
  format,
  options,
}: ExportOrder): Promise<string | undefined> {
  const entries = [commandEntry('exportAudit', { format, ...options })];
  if (database !== undefined) {
    await recordActs({ dataDir, databaseUrl: database.url }, entries);
    return undefined;
  }
  if (existsSync(logPaths(dataDir).key)) {
    return await recordInFolder(dataDir, entries);
  }
  const log = openOwnLog(dataDir);
  try {
    return log.checkpoint();
  } finally {
    log.close();
  }
}

async function writeText(
  { file, output }: Pick<ExportOrder, 'file' | 'output'>,
  text: () => Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const target = file === undefined ? undefined : openSync(file, 'wx', 0o600);
  try {
    if (target === undefined) {
      await pipeline(Readable.from(text()), output, { end: false });
    } else {
      // Closes the file, also if the text fails.
      const stream = createWriteStream('', { fd: target, flush: true });
      await pipeline(Readable.from(text()), stream);
    }
  } catch (error) {
    if (file !== undefined) {
      rmSync(file, { force: true });
    }
    throw error;
  }
}
