import { resolve } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import type { AuditEntry } from '../entry/audit-entry.ts';
import type { NewRecord } from '../entry/body.ts';
import { parseBody, type RecordBody } from '../entry/record-body.ts';
import { LogReader } from '../folder/log-reader.ts';
import { LogWriter, type LogWriterOptions } from '../folder/log-writer.ts';
import { auditEntry } from './audit-entry.testing.ts';

export const march: number = Date.UTC(2026, 2, 14, 9, 30);

/** A log in this folder, on this machine's disk and in March 2026 unless told otherwise. */
export function openWriter(dataDir: string, options: Partial<LogWriterOptions> = {}): LogWriter {
  const usual = { disk: nodeDisk, host: 'clinic.example', now: () => march };
  return new LogWriter({ dataDir, ...usual, ...options });
}

/** An entry as a log takes it. */
export function newRecord(entry: AuditEntry = auditEntry(), atMs: number = march): NewRecord {
  return { entry, recordedAtUs: atMs * 1000 };
}

/** Appends this many records, in groups of ten. */
export function appendMany(log: LogWriter, count: number, atMs: number = march): void {
  for (let left = count; left > 0; left -= 10) {
    log.append(Array.from({ length: Math.min(10, left) }, () => newRecord(auditEntry(), atMs)));
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
export function bodiesIn(dataDir: string): RecordBody[] {
  return withReader(dataDir, (reader) => {
    const size = reader.size();
    return Array.from({ length: size }, (_, seq) =>
      parseBody(String(reader.entry(seq).subarray(16))),
    );
  });
}

/** One record of a log. */
export function bodyAt(dataDir: string, seq: number): RecordBody {
  return withReader(dataDir, (reader) => parseBody(String(reader.entry(seq).subarray(16))));
}
