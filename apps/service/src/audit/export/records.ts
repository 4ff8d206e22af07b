import type { LogReader } from '@caregate/audit-log';
import { isMatch, parseRecord, type RecordBody, type RecordFilter } from '../record/record-body.ts';

/** Called with how many records of how many were read. */
export type OnRecords = (done: number, of: number) => void;

const REPORT_EVERY = 256;

interface ReadOptions {
  /** A checkpoint to end at. Default: the newest one. */
  readonly note?: string | undefined;
  readonly onRecords?: OnRecords | undefined;
}

/** Reads every record of the filter's time, since columns could hide some. @throws AuditBrokenError: do not rely on what came before */
export async function* readRecords(
  logs: readonly LogReader[],
  filter: RecordFilter = {},
  { note, onRecords }: ReadOptions = {},
): AsyncGenerator<RecordBody, void> {
  const { fromUs, toUs, about } = filter;
  for (const log of logs) {
    const { logId } = log.identity;
    const { size } = (await log.tree()).head;
    for await (const { seq, body } of log.records({ fromUs, toUs, note })) {
      reportRecord(seq, size, onRecords);
      const record = parseRecord(body, { logId, seq });
      if (isMatch(filter, record)) {
        yield withoutOtherPatients(record, about);
      }
    }
  }
}

/** Records of several logs, oldest first. @throws as `readRecords` */
export async function listRecords(
  logs: readonly LogReader[],
  filter: RecordFilter,
  options?: ReadOptions,
): Promise<RecordBody[]> {
  const found: RecordBody[] = [];
  for await (const record of readRecords(logs, filter, options)) {
    found.push(record);
  }
  return found.sort((one, other) => one.recorded_at_us - other.recorded_at_us);
}

export function reportRecord(seq: number, size: number, onRecords: OnRecords | undefined): void {
  if (seq % REPORT_EVERY === 0) {
    onRecords?.(seq + 1, size);
  }
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
