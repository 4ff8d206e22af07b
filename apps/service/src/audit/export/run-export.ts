import { closeSync, createWriteStream, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { appendNow } from '../offline/append-now.ts';
import { commandEntry } from '../system-record.ts';
import { auditKeyFile } from '../log/audit-key.ts';
import { AuditReader, NoAuditLogError } from '../log/audit-reader.ts';
import { exportText, type ExportFormat } from './export-text.ts';
import type { RecordFilter } from './records.ts';

export interface ExportOrder {
  readonly dataDir: string;
  readonly format: ExportFormat;
  readonly filter: RecordFilter;
  /** The filter as it was written, for the record of the export. */
  readonly asked: Readonly<Record<string, string>>;
  /** A file that is not there yet; otherwise `output` takes the text. */
  readonly file?: string | undefined;
  readonly output: Writable;
}

/**
 * Exports the log as it is now; the record of this very export is the last one in it. Beside a running service it is
 * one more process that appends to the log, which each of them verifies before it goes on.
 *
 * @throws NoAuditLogError, AuditBrokenError where the log's end does not verify
 */
export async function runExport(order: ExportOrder): Promise<void> {
  const { dataDir, format, filter } = order;
  // Opened first: a folder named wrongly must not get a log of its own.
  const reader = new AuditReader(dataDir);
  try {
    await writeExport(order, () => {
      const checkpoint = recorded(order, reader);
      return exportText(reader, { format, filter, checkpoint });
    });
  } finally {
    reader.close();
  }
}

/** Writes a text to the file, which must not be there yet, or to the output; a file that could not be written is removed. */
export async function writeExport(
  { file, output }: Pick<ExportOrder, 'file' | 'output'>,
  text: () => Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const target = file === undefined ? undefined : openSync(file, 'wx', 0o600);
  try {
    if (target === undefined) {
      await pipeline(Readable.from(text()), output, { end: false });
    } else {
      const stream = createWriteStream('', { fd: target, autoClose: false });
      await pipeline(Readable.from(text()), stream);
      fsyncSync(target);
    }
  } catch (error) {
    if (file !== undefined) {
      rmSync(file, { force: true });
    }
    throw error;
  } finally {
    if (target !== undefined) {
      closeSync(target);
    }
  }
}

/** Signs the log with the record of the export. A copy without the private key, an auditor's, is read as it is. */
function recorded(order: ExportOrder, reader: AuditReader): string {
  const { dataDir, format, asked } = order;
  if (!existsSync(join(dataDir, auditKeyFile))) {
    const note = reader.checkpoint();
    if (note === undefined) {
      throw new NoAuditLogError('The log has no checkpoint.');
    }
    return note;
  }
  return appendNow(dataDir, [commandEntry('exportAudit', { format, ...asked })]);
}
