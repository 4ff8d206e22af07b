import type { AuditDecision } from '@caregate/domain';
import {
  isMatch,
  parseBody,
  provenRecords,
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

/**
 * The matching records, in order, without those erased by a retention cut. A patient matches if their data was returned or
 * requested. All of the log is read, and compared with what its key signed: an index could leave records out unseen.
 *
 * @param note the checkpoint to end at; default: the end of the log
 * @throws AuditBrokenError if the log does not hold; what was given before MUST NOT be relied on
 */
export function* records(
  log: LogReader,
  filter: RecordFilter & { readonly operations?: readonly string[] } = {},
  note?: string,
): Generator<RecordBody> {
  const { patient, operation, operations, ...rest } = filter;
  const wanted = {
    ...rest,
    about: patient,
    operations: operation === undefined ? operations : [operation],
  };
  const mayMatch = textFilter(wanted);
  for (const { entry } of provenRecords(log, note)) {
    const record = mayMatch(entry) ? parseBody(entry.toString('utf8', saltLength)) : undefined;
    if (record !== undefined && isMatch(wanted, record)) {
      yield withoutOtherPatients(record, patient);
    }
  }
}

/** Whether a record may match, by its text alone: it is parsed only then. */
function textFilter({
  team,
  actor,
  operations,
  decision,
}: {
  readonly team?: string | undefined;
  readonly actor?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly decision?: string | undefined;
}): (entry: Buffer) => boolean {
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
  return (entry) => needed.every((texts) => texts.some((text) => entry.includes(text)));
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}
