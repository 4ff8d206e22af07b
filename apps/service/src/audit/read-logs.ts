import { NoAuditLogError, openReaders, type LogReader } from '@caregate/audit-log';
import { requireNotMoved } from '@caregate/data-store/database';
import { readDatabase, type Database } from '../config/read-config.ts';
import {
  matchesFilter,
  members,
  parseRecord,
  type AuditRecord,
  type RecordFilter,
} from './audit-record.ts';

/**
 * Reads the audit log of a data folder, even while the service writes. @throws NoAuditLogError, FolderError if it was
 * moved, LogRefusedError, AuditBrokenError
 */
export async function withFolderLog<T>(
  dataDir: string,
  work: (log: LogReader) => T | Promise<T>,
): Promise<T> {
  const [log] = await openReaders({ dataDir }, members).catch((error: unknown) => {
    if (error instanceof NoAuditLogError) {
      requireNotMoved(dataDir);
    }
    throw error;
  });
  try {
    return await work(log as LogReader);
  } finally {
    await log?.close();
  }
}

export interface LogSelection {
  /** The data folder, whose key is trusted on both engines. */
  readonly data?: string | undefined;
  readonly log?: string | undefined;
}

/** @throws NoAuditLogError if the database has no log, or none with this ID */
export async function withDatabaseLogs<T>(
  database: Database,
  { data, log: logId }: LogSelection,
  work: (logs: readonly LogReader[]) => T | Promise<T>,
): Promise<T> {
  const all = await openReaders({ dataDir: data ?? '', postgres: database }, members);
  try {
    const logs = all.filter(({ identity }) => logId === undefined || identity.logId === logId);
    if (logs.length === 0) {
      throw new NoAuditLogError('This database has no such audit log.');
    }
    return await work(logs);
  } finally {
    await all[0]?.close();
  }
}

/**
 * Reads the log of a data folder or, with DATABASE_URL, the logs of the database. Throws what `withFolderLog` and
 * `withDatabaseLogs` throw.
 */
export async function readLogs<T>(
  selection: LogSelection,
  work: (logs: readonly LogReader[]) => T | Promise<T>,
): Promise<T> {
  const database = readDatabase(process.env);
  return database === undefined
    ? await withFolderLog(selection.data ?? '', (log) => work([log]))
    : await withDatabaseLogs(database, selection, work);
}

export function requireSingleLog(logs: readonly LogReader[]): LogReader {
  const [log, ...more] = logs;
  if (log === undefined || more.length > 0) {
    const ids = logs.map(({ identity }) => identity.logId).join(', ');
    throw new NoAuditLogError(
      `This database has ${logs.length} logs. Choose one with --log: ${ids}.`,
    );
  }
  return log;
}

export type OnRecords = (done: number, total: number) => void;

const REPORT_EVERY = 256;

interface ReadOptions {
  /** A checkpoint to end at; the newest one by default. */
  readonly note?: string | undefined;
  readonly onRecords?: OnRecords | undefined;
}

/**
 * Yields the records that match the filter. Reads all records of its time range, since altered columns could hide
 * some. @throws AuditBrokenError if the log is broken; discard all records yielded before
 */
export async function* readRecords(
  logs: readonly LogReader[],
  filter: RecordFilter = {},
  { note, onRecords }: ReadOptions = {},
): AsyncGenerator<AuditRecord, void> {
  const { fromUs, toUs, about } = filter;
  for (const log of logs) {
    const { logId } = log.identity;
    const { size } = (await log.tree()).head;
    for await (const { seq, body } of log.readRecords({ fromUs, toUs, note })) {
      reportRecord(seq, size, onRecords);
      const record = parseRecord(body, { logId, seq });
      if (matchesFilter(filter, record)) {
        yield withoutOtherPatients(record, about);
      }
    }
  }
}

/** Lists the records of several logs, oldest first. @throws the errors of `readRecords` */
export async function listRecords(
  logs: readonly LogReader[],
  filter: RecordFilter,
  options?: ReadOptions,
): Promise<AuditRecord[]> {
  const found = await Array.fromAsync(readRecords(logs, filter, options));
  return found.sort((one, other) => one.recorded_at_us - other.recorded_at_us);
}

export function reportRecord(seq: number, size: number, onRecords: OnRecords | undefined): void {
  if (seq % REPORT_EVERY === 0) {
    onRecords?.(seq + 1, size);
  }
}

/** Removes other patients of the same response, which an export for one patient must not contain. */
export function withoutOtherPatients(
  record: AuditRecord,
  patient: string | undefined,
): AuditRecord {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
