import { idKey } from '@caregate/audit-log/postgres';
import type { EventsFilter } from '../trail/audit-trail.ts';

export type EventPlace = readonly [recordedAtUs: number, logId: string, seq: number];

/** The next events of all logs, newest first. It may find one of another patient: the record decides. */
export function postgresEventsQuery(request: {
  readonly filter: EventsFilter;
  /** Upper limit of positions, with `filter.log`. */
  readonly size: number | null;
  readonly after: EventPlace | undefined;
  readonly limit: number;
  readonly without: ReadonlySet<string>;
}): { readonly text: string; readonly values: unknown[] } {
  const { filter, size, after, limit, without } = request;
  const values: unknown[] = [];
  const clauses: string[] = [];
  const slot = (value: unknown): string => `$${values.push(value)}`;
  const add = (value: unknown, clause: (slot: string) => string): void => {
    if (value !== undefined && value !== null) {
      clauses.push(clause(slot(value)));
    }
  };
  add(filter.team, (team) => `e.team_id = ${team}`);
  add(filter.log, (log) => `e.log_id = ${log}`);
  if (filter.records !== undefined) {
    const [logs, seqs] = [
      filter.records.map(({ logId }) => logId),
      filter.records.map(({ seq }) => seq),
    ];
    clauses.push(
      `(e.log_id, e.seq) in (select * from unnest(${slot(logs)}::text[], ${slot(seqs)}::bigint[]))`,
    );
  }
  add(without.size > 0 ? [...without] : undefined, (logs) => `e.log_id <> all(${logs}::text[])`);
  add(size, (end) => `e.seq < ${end}`);
  if (filter.patient !== undefined) {
    clauses.push(namesPatient(filter.patient, slot));
  }
  add(filter.actor, (actor) => `e.actor_id = ${actor}`);
  add(filter.operations, (operations) => `e.operation = any(${operations}::text[])`);
  add(filter.decision, (decision) => `e.decision = ${decision}`);
  add(filter.fromUs, (from) => `e.recorded_at_us >= ${from}`);
  add(filter.toUs, (to) => `e.recorded_at_us <= ${to}`);
  if (after !== undefined) {
    const [time, log, seq] = after.map(slot) as [string, string, string];
    clauses.push(
      `(e.recorded_at_us, e.log_id, e.seq) < (${time}::bigint, ${log}::text, ${seq}::bigint)`,
    );
  }
  return {
    text: `select e.log_id, e.seq, e.salt, e.body, e.recorded_at_us from audit.audit_event e
           where ${clauses.join(' and ')}
           order by e.recorded_at_us desc, e.log_id desc, e.seq desc limit ${slot(limit)}`,
    values,
  };
}

/** Holds for each record of this patient (lower-case UUID), rarely for another's. Packed lists have ids at three alignments. */
export function namesPatient(patient: string, slot: (value: unknown) => string): string {
  const texts = [JSON.stringify(patient), ...packedForms(patient)];
  const isInBody = texts.map((text) => `position(${slot(text)} in e.body) > 0`);
  return `(e.patients @> array[${slot(idKey(patient))}::smallint] and (${isInBody.join(' or ')}))`;
}

const bytesOfUuid = 16;

/** The base64url characters of a UUID that its neighbours don't change, at each alignment. */
function packedForms(uuid: string): string[] {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  return bytes.length === bytesOfUuid
    ? [0, 1, 2].map((at) => {
        const text = Buffer.concat([Buffer.alloc(at), bytes]).toString('base64url');
        const [from, to] = [Math.ceil((8 * at) / 6), Math.floor((8 * (at + bytesOfUuid)) / 6)];
        return text.slice(from, to);
      })
    : [];
}
