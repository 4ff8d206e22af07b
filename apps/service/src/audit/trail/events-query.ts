import type { SQLInputValue } from 'node:sqlite';
import type { AuditDecision } from '@caregate/domain';
import type { AuditReceipt } from '../audit-entry.ts';

/** Filter of events; all conditions must match. */
export interface EventsFilter {
  readonly teamId: string;
  /** Of this log alone. */
  readonly log?: string | undefined;
  /** This one alone. */
  readonly record?: AuditReceipt | undefined;
  readonly patient?: string | undefined;
  readonly actor?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly decision?: AuditDecision | undefined;
  /** Microseconds since 1970, inclusive both. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
}

/** The query for a span of the log, from `$from` (inclusive) to `$below` (exclusive), newest first, at most `$limit`. */
export function eventsQuery(filter: EventsFilter): {
  readonly sql: string;
  readonly values: Readonly<Record<string, SQLInputValue>>;
} {
  const { patient, operations } = filter;
  const seq = patient === undefined ? 'e.seq' : 'p.seq';
  const clauses = [`${seq} >= $from`, `${seq} < $below`];
  const values: Record<string, SQLInputValue> = { team: filter.teamId };
  const add = (name: string, value: SQLInputValue | undefined, clause: string): void => {
    if (value !== undefined) {
      values[name] = value;
      clauses.push(clause);
    }
  };
  clauses.push('e.team_id = $team');
  add('patient', patient?.toLowerCase(), 'p.user_id = $patient');
  add('actor', filter.actor, 'e.actor_id = $actor');
  add(
    'operations',
    operations === undefined ? undefined : JSON.stringify(operations),
    'e.operation in (select value from json_each($operations))',
  );
  add('decision', filter.decision, 'e.decision = $decision');
  add('fromUs', filter.fromUs, 'e.recorded_at_us >= $fromUs');
  add('toUs', filter.toUs, 'e.recorded_at_us <= $toUs');
  // `cross join` forces this join order: few records have the patient.
  const tables =
    patient === undefined
      ? 'audit_event e'
      : 'audit_patient p cross join audit_event e on e.seq = p.seq';
  return {
    sql: `select e.log_id, e.seq, e.leaf_hash, e.salt, e.body from ${tables}
          where ${clauses.join(' and ')} order by ${seq} desc limit $limit`,
    values,
  };
}
