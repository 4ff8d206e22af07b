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
  /** The filter as given, for the record of the export. */
  readonly asked: Readonly<Record<string, string>>;
  /** A new file; by default `output` is used. */
  readonly file?: string | undefined;
  readonly output: Writable;
}

/**
 * Exports the current log, with the record of this export as its last one. Safe while the service is running: each process
 * verifies the records that others have appended.
 *
 * @throws NoAuditLogError, AuditBrokenError if the tail fails verification
 */
export async function runExport(order: ExportOrder): Promise<void> {
  const { dataDir, format, filter } = order;
  // Opened first: a mistyped folder must not be created.
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

/** Records the export and returns the checkpoint. A copy without the private key, such as an auditor's, is only read. */
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
