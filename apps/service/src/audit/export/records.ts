import { type LogSource } from '@caregate/audit-log';
import {
  isMatch,
  parseRecord,
  type RecordBody,
  type RecordFilter as LogFilter,
} from '../record/record-body.ts';

/** A patient matches if their data was returned or requested. */
export type RecordFilter = Omit<LogFilter, 'about'> & { readonly operation?: string | undefined };

const saltLength = 16;

/** Reads the whole log, since an index could hide records. @throws AuditBrokenError: do not rely on what came before */
export async function* records(
  log: LogSource,
  filter: RecordFilter = {},
  note?: string,
): AsyncGenerator<RecordBody> {
  const matching = matcher(filter, log.identity().logId);
  for await (const item of log.records(note)) {
    const record = 'entry' in item ? matching(item) : undefined;
    if (record !== undefined) {
      yield withoutOtherPatients(record, filter.patient);
    }
  }
}

/** Records of several logs, oldest first. */
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

export function matcher(
  { patient, operation, ...filter }: RecordFilter,
  logId: string,
): (stored: { readonly seq: number; readonly entry: Buffer }) => RecordBody | undefined {
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
  return ({ seq, entry }) => {
    if (!needed.every((texts) => texts.some((text) => entry.includes(text)))) {
      return undefined;
    }
    const record = parseRecord(entry.toString('utf8', saltLength), { logId, seq });
    return isMatch(wanted, record) ? record : undefined;
  };
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
