import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { AuditDecision } from '@caregate/domain';
import type { RecordBody } from '../record-body.ts';

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

// Small pages, to limit memory use and not to block WAL checkpoints for long.
const atOnce = 1000;

/**
 * The matching records among the first `size`, in order, without those erased by a retention cut. A patient matches if
 * their data was returned or requested.
 */
export function* records(
  db: DatabaseSync,
  filter: RecordFilter,
  size: number,
): Generator<RecordBody> {
  const { sql, values } = statementOf(db, filter, size);
  const statement = db.prepare(sql);
  let after = -1;
  for (;;) {
    const rows = statement.all({ ...values, after });
    for (const row of rows) {
      yield withoutOtherPatients(JSON.parse(row['body'] as string) as RecordBody, filter.patient);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) {
      return;
    }
    after = last['seq'] as number;
  }
}

/** An export for one patient must not contain other patients of the same page. */
export function withoutOtherPatients(record: RecordBody, patient: string | undefined): RecordBody {
  return patient === undefined
    ? record
    : { ...record, patients: record.patients.filter((id) => id === patient) };
}

function statementOf(
  db: DatabaseSync,
  filter: RecordFilter,
  size: number,
): { readonly sql: string; readonly values: Record<string, SQLInputValue> } {
  const { first, last } = spanOf(db, filter);
  const clauses = [
    'e.seq > $after and e.seq >= $first and e.seq <= $last and e.seq < $size',
    'e.body is not null',
  ];
  const values: Record<string, SQLInputValue> = { first, last, size };
  const add = (name: string, value: SQLInputValue | undefined, clause: string): void => {
    if (value !== undefined) {
      values[name] = value;
      clauses.push(clause);
    }
  };
  // The plus prevents SQLite from using the time index, which would sort the whole span for each page.
  add('fromUs', filter.fromUs, '+e.recorded_at_us >= $fromUs');
  add('toUs', filter.toUs, '+e.recorded_at_us <= $toUs');
  add('team', filter.team, 'e.team_id = $team');
  add('actor', filter.actor, 'e.actor_id = $actor');
  add('operation', filter.operation, 'e.operation = $operation');
  add('decision', filter.decision, 'e.decision = $decision');
  add(
    'patient',
    filter.patient,
    `(exists (select 1 from audit_patient p where p.seq = e.seq and p.user_id = $patient)
      or json_extract(e.body, '$.details.asked_user_id') = $patient)`,
  );
  return {
    sql: `select e.seq, e.body from audit_event e where ${clauses.join(' and ')}
          order by e.seq limit ${atOnce}`,
    values,
  };
}

/** The span of the log for a time range. Clocks can change, so each record in it is also checked. */
function spanOf(
  db: DatabaseSync,
  { fromUs, toUs }: RecordFilter,
): { readonly first: number; readonly last: number } {
  const whole = { first: 0, last: Number.MAX_SAFE_INTEGER };
  if (fromUs === undefined && toUs === undefined) {
    return whole;
  }
  const row = db
    .prepare(
      `select min(seq) as first, max(seq) as last from audit_event
       where recorded_at_us >= ? and recorded_at_us <= ?`,
    )
    .get(fromUs ?? 0, toUs ?? Number.MAX_SAFE_INTEGER);
  return {
    first: (row?.['first'] as number | null) ?? 0,
    last: (row?.['last'] as number | null) ?? -1,
  };
}
