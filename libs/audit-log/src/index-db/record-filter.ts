import type { SQLInputValue } from 'node:sqlite';
import type { AuditDecision } from '../entry/audit-entry.ts';
import type { RecordBody } from '../entry/record-body.ts';

export interface RecordFilter {
  /** Microseconds since 1970, inclusive both. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  readonly team?: string | undefined;
  /** Key id, person, or the actor of a system event. */
  readonly actor?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly decision?: AuditDecision | undefined;
  /** Lower-case UUID: their data was returned. */
  readonly patient?: string | undefined;
  /** Lower-case UUID: their data was returned or asked for. */
  readonly about?: string | undefined;
}

/** What an index finds is checked with this. */
export function isMatch(filter: RecordFilter, record: RecordBody): boolean {
  const { fromUs, toUs, team, actor, operations, decision, patient, about } = filter;
  return (
    record.recorded_at_us >= (fromUs ?? -Infinity) &&
    record.recorded_at_us <= (toUs ?? Infinity) &&
    (team === undefined || record.team_id === team) &&
    (actor === undefined || record.actor_id === actor) &&
    (operations?.includes(record.operation) ?? true) &&
    (decision === undefined || record.decision === decision) &&
    (patient === undefined || record.patients.includes(patient)) &&
    (about === undefined ||
      record.patients.includes(about) ||
      record.details['asked_user_id'] === about)
  );
}

/** Numbers of matching records from `$from` to before `$below`, at most `$limit`. */
export function filterQuery(
  filter: RecordFilter,
  order: 'asc' | 'desc',
): { readonly sql: string; readonly values: Record<string, SQLInputValue> } {
  const { patient = filter.about, operations } = filter;
  const clauses = ['r.seq >= $from', 'r.seq < $below'];
  const values: Record<string, SQLInputValue> = {};
  const add = (name: string, value: SQLInputValue | undefined, clause: string): void => {
    if (value !== undefined) {
      values[name] = value;
      clauses.push(clause);
    }
  };
  add('patient', patient, 'p.user_id = $patient and p.last >= $from and p.first < $below');
  if (filter.patient !== undefined) {
    clauses.push('mark.value % 2 = 1');
  }
  add('team', filter.team, 'r.team_id = $team');
  add('actor', filter.actor, 'r.actor_id = $actor');
  add(
    'operations',
    operations === undefined ? undefined : JSON.stringify(operations),
    'r.operation in (select value from json_each($operations))',
  );
  add('decision', filter.decision, 'r.decision = $decision');
  // The plus prevents the index on time, which would sort the whole span.
  add('fromUs', filter.fromUs, '+r.recorded_at_us >= $fromUs');
  add('toUs', filter.toUs, '+r.recorded_at_us <= $toUs');
  // `cross join` fixes the join order: few records have the patient.
  const tables =
    patient === undefined
      ? 'record r'
      : 'posting p cross join json_each(p.records) mark cross join record r on r.seq = mark.value / 2';
  return {
    sql: `select r.seq as seq from ${tables} where ${clauses.join(' and ')}
          order by r.seq ${order} limit $limit`,
    values,
  };
}
