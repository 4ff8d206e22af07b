import { resolve } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import { LogReader } from '../folder/log-reader.ts';
import { LogWriter, type LogWriterOptions } from '../folder/log-writer.ts';
import { auditEntry, parsed, type Members } from './audit-entry.testing.ts';

/** A log in this folder, on this machine's disk unless told otherwise. */
export function openWriter(dataDir: string, options: Partial<LogWriterOptions> = {}): LogWriter {
  return new LogWriter({ dataDir, disk: nodeDisk, host: 'clinic.example', ...options });
}

/** Appends this many records, in groups of ten. */
export function appendMany(log: LogWriter, count: number): void {
  for (let left = count; left > 0; left -= 10) {
    log.append(Array.from({ length: Math.min(10, left) }, () => auditEntry()));
  }
}

/** A log of this many records, signed and closed. */
export function writeSigned(dataDir: string, count: number): void {
  const log = openWriter(dataDir);
  appendMany(log, count);
  log.checkpoint();
  log.close();
}

export function withReader<T>(dataDir: string, use: (reader: LogReader) => T): T {
  const reader = new LogReader(nodeDisk, resolve(dataDir));
  try {
    return use(reader);
  } finally {
    reader.close();
  }
}

/** All records of a log, in order. */
export function bodiesIn(dataDir: string): Members[] {
  return withReader(dataDir, (reader) =>
    Array.from({ length: reader.size() }, (_, seq) =>
      parsed(String(reader.entry(seq).subarray(16))),
    ),
  );
}
