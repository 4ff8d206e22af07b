import {
  isMatch,
  parseBody,
  provenRecords,
  type LogSource,
  type RecordBody,
  type RecordFilter as LogFilter,
} from '@caregate/audit-log';

/** Filter of records; all conditions must match. A patient matches if their data was returned or requested. */
export type RecordFilter = Omit<LogFilter, 'about'> & { readonly operation?: string | undefined };

const saltLength = 16;

/**
 * The matching records of a log, in order. All of it is read, and compared with what its key signed: an index could leave
 * records out unseen.
 *
 * @param note the checkpoint to end at; default: the end of the log
 * @throws AuditBrokenError if the log does not hold; what was given before MUST NOT be relied on
 */
export async function* records(
  log: LogSource,
  filter: RecordFilter = {},
  note?: string,
): AsyncGenerator<RecordBody> {
  const matching = matcher(filter);
  for await (const item of provenRecords(log, note)) {
    const record = 'entry' in item ? matching(item.entry) : undefined;
    if (record !== undefined) {
      yield withoutOtherPatients(record, filter.patient);
    }
  }
}

/** Those of several logs, oldest first. */
export async function recordsOf(
  logs: readonly LogSource[],
  filter: RecordFilter,
): Promise<RecordBody[]> {
  const found: RecordBody[] = [];
  for (const log of logs) {
    for await (const record of records(log, filter)) {
      found.push(record);
    }
  }
  return logs.length === 1
    ? found
    : found.sort((one, other) => one.recorded_at_us - other.recorded_at_us);
}

/** The record of an entry that matches; its text alone rules most of the others out. */
export function matcher({
  patient,
  operation,
  ...filter
}: RecordFilter): (entry: Buffer) => RecordBody | undefined {
  const wanted = {
    ...filter,
    about: patient,
    operations: operation === undefined ? filter.operations : [operation],
  };
  const { team, actor, decision, operations } = wanted;
  const anyOf = (name: string, values: readonly string[] | undefined): Buffer[][] =>
    values === undefined
      ? []
      : [values.map((value) => Buffer.from(`"${name}":${JSON.stringify(value)}`))];
  const needed = [
    ...anyOf('team_id', team === undefined ? undefined : [team]),
    ...anyOf('actor_id', actor === undefined ? undefined : [actor]),
    ...anyOf('decision', decision === undefined ? undefined : [decision]),
    ...anyOf('operation', operations),
  ];
  return (entry) => {
    if (!needed.every((texts) => texts.some((text) => entry.includes(text)))) {
      return undefined;
    }
    const record = parseBody(entry.toString('utf8', saltLength));
    return isMatch(wanted, record) ? record : undefined;
  };
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
