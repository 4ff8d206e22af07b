import type { AuditDecision } from '@caregate/domain';
import {
  isMatch,
  parseBody,
  type LogIndex,
  type LogReader,
  type RecordBody,
} from '@caregate/audit-log';

/** Filter of records; all conditions must match. */
export interface RecordFilter {
  /** Microseconds since 1970, inclusive both. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  /** Lower-case uuids. */
  readonly patient?: string | undefined;
  readonly team?: string | undefined;
  /** Key id, person, or the actor of a system event. */
  readonly actor?: string | undefined;
  readonly operation?: string | undefined;
  readonly decision?: AuditDecision | undefined;
}

const saltLength = 16;
const atOnce = 1000;

/**
 * The matching records among the first `size`, in order, without those erased by a retention cut. A patient matches if
 * their data was returned or requested.
 */
export function* records(
  log: LogReader,
  index: LogIndex,
  { filter, size }: { readonly filter: RecordFilter; readonly size: number },
): Generator<RecordBody> {
  const { patient, operation, ...rest } = filter;
  const wanted = {
    ...rest,
    about: patient,
    operations: operation === undefined ? undefined : [operation],
  };
  let { from, below } = index.span(filter);
  below = Math.min(below, size);
  for (;;) {
    const found = index.find(wanted, { from, below, limit: atOnce, order: 'asc' });
    for (const seq of found) {
      const entry = log.entry(seq);
      const record = entry && parseBody(entry.toString('utf8', saltLength));
      if (record !== undefined && isMatch(wanted, record)) {
        yield withoutOtherPatients(record, patient);
      }
    }
    if (found.length < atOnce) {
      return;
    }
    from = (found.at(-1) ?? 0) + 1;
  }
}

/** The first `size` records, without those erased by a retention cut. */
export function* allRecords(log: LogReader, size: number): Generator<RecordBody> {
  for (const item of log.read(log.firstKept(), size)) {
    if ('entry' in item && item.entry !== undefined) {
      yield parseBody(item.entry.toString('utf8', saltLength));
    }
  }
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
