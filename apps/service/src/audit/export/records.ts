import type { LogReader, StoredRecord } from '@caregate/audit-log';
import {
  isMatch,
  parseRecord,
  type RecordBody,
  type RecordFilter as LogFilter,
} from '../record/record-body.ts';

/** Called with how many records of how many were read. */
export type OnRecords = (done: number, of: number) => void;

const TOLD_EVERY = 256;

/** A patient matches if their data was returned or requested. */
export type RecordFilter = Omit<LogFilter, 'about'> & { readonly operation?: string | undefined };

/** Reads every record of the filter's time, since columns could hide some. @throws AuditBrokenError: do not rely on what came before */
export async function* records(
  log: LogReader,
  filter: RecordFilter = {},
  {
    note,
    onRecords,
  }: { readonly note?: string | undefined; readonly onRecords?: OnRecords | undefined } = {},
): AsyncGenerator<RecordBody> {
  const { fromUs, toUs } = filter;
  const matching = matcher(filter, log.identity.logId);
  const { size } = (await log.tree()).head;
  for await (const stored of log.records({ fromUs, toUs, note })) {
    reportRecord(stored.seq, size, onRecords);
    const record = matching(stored);
    if (record !== undefined) {
      yield withoutOtherPatients(record, filter.patient);
    }
  }
}

export function reportRecord(seq: number, size: number, onRecords: OnRecords | undefined): void {
  if (seq % TOLD_EVERY === 0) {
    onRecords?.(seq + 1, size);
  }
}

/** Records of several logs, oldest first. */
export async function recordsOf(
  logs: readonly LogReader[],
  filter: RecordFilter,
  onRecords?: OnRecords,
): Promise<RecordBody[]> {
  const found: RecordBody[] = [];
  for (const log of logs) {
    for await (const record of records(log, filter, { onRecords })) {
      found.push(record);
    }
  }
  return logs.length === 1
    ? found
    : found.sort((one, other) => one.recorded_at_us - other.recorded_at_us);
}

export function matcher(
  { patient, operation, ...filter }: RecordFilter,
  logId: string,
): (stored: StoredRecord) => RecordBody | undefined {
  const wanted = {
    ...filter,
    about: patient,
    operations: operation === undefined ? filter.operations : [operation],
  };
  const { team, actor, decision, operations } = wanted;
  const anyOf = (name: string, values: readonly string[] | undefined): string[][] =>
    values === undefined ? [] : [values.map((value) => `"${name}":${JSON.stringify(value)}`)];
  const needed = [
    ...anyOf('team_id', team === undefined ? undefined : [team]),
    ...anyOf('actor_id', actor === undefined ? undefined : [actor]),
    ...anyOf('decision', decision === undefined ? undefined : [decision]),
    ...anyOf('operation', operations),
  ];
  return ({ seq, body }) => {
    if (!needed.every((texts) => texts.some((text) => body.includes(text)))) {
      return undefined;
    }
    const record = parseRecord(body, { logId, seq });
    return isMatch(wanted, record) ? record : undefined;
  };
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
