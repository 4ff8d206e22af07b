import { createWriteStream, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inFolder } from '../offline/one-log.ts';
import { openLog, openOwnLog } from '../offline/open-log.ts';
import { tellReading, type OnRecords } from '../offline/tell-reading.ts';
import { commandEntry } from '../system-record.ts';
import { auditKeyFile, recordActs } from '@caregate/audit-log';
import { exportText, type ExportFormat } from './export-text.ts';
import type { RecordFilter } from './records.ts';

export interface ExportOrder {
  readonly dataDir: string;
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  /** The filter as given, for the record of the export. */
  readonly asked: Readonly<Record<string, string>>;
  /** A new file; by default `output` is used. */
  readonly file?: string | undefined;
  readonly output: Writable;
  readonly onProgress?: OnRecords;
}

/**
 * Exports the current log up to a checkpoint that covers the record of this export. Safe while the service is running.
 *
 * @throws NoAuditLogError, AuditBrokenError if the log does not hold: then there is no file
 */
export async function runExport(order: ExportOrder): Promise<void> {
  const { dataDir, format, filter, onProgress = () => undefined } = order;
  // Opened first: a mistyped folder must not be created.
  openLog(dataDir).close();
  await writeExport(order, async function* text() {
    const checkpoint = await recorded(order);
    const log = openOwnLog(dataDir);
    try {
      yield* exportText([tellReading(log, onProgress)], { format, filter, checkpoint });
    } finally {
      log.close();
    }
  });
}

/** Writes text to a new file or to the output. Removes the file on failure. */
export async function writeExport(
  { file, output }: Pick<ExportOrder, 'file' | 'output'>,
  text: () => Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const target = file === undefined ? undefined : openSync(file, 'wx', 0o600);
  try {
    if (target === undefined) {
      await pipeline(Readable.from(text()), output, { end: false });
    } else {
      // It closes the file, also where the text fails.
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

/** Records the export and returns the checkpoint. A copy without the private key, such as an auditor's, is only read. */
async function recorded({ dataDir, format, asked }: ExportOrder): Promise<string> {
  if (existsSync(join(dataDir, auditKeyFile))) {
    return await recordActs(dataDir, [commandEntry('exportAudit', { format, ...asked })]);
  }
  return await inFolder(dataDir, (log) => log.newest());
}
