import { parseBody, type LogReader, type RecordBody } from '@caregate/audit-log';
import type { Queryable } from '@caregate/audit-log/postgres';
import { records } from '../export/records.ts';

const saltLength = 16;

/** Records of acts, to compare with what they changed. */
export interface ActRecords {
  /** Oldest first. */
  readonly records: readonly RecordBody[];
  /** The first kept record, if earlier ones were erased; milliseconds since 1970. */
  readonly keptFromMs: number | undefined;
}

/** Of a data folder. @throws AuditBrokenError if its log does not hold */
export function actRecords(log: LogReader, operations: readonly string[]): ActRecords {
  const found = [...records(log, { operations })];
  const first = log.firstKept();
  const kept = first === 0 ? undefined : log.entry(first);
  return {
    records: found,
    keptFromMs: kept && parseBody(kept.toString('utf8', saltLength)).recorded_at_us / 1000,
  };
}

/** Of all logs of a database, whose records are never erased; none if it was never served. */
export async function actRecordsOfDatabase(
  db: Queryable,
  operations: readonly string[],
): Promise<ActRecords> {
  const [tables] = (await db.query(`select to_regclass('audit.audit_event') as events`)).rows;
  if (tables?.['events'] == null) {
    return { records: [], keptFromMs: undefined };
  }
  const { rows } = await db.query(
    `select body from audit.audit_event where operation = any($1::text[]) and body is not null
     order by recorded_at_us, log_id, seq`,
    [operations],
  );
  return {
    records: rows.map((row) => parseBody(row['body'] as string)),
    keptFromMs: undefined,
  };
}
