import { AuditBrokenError } from '../../errors.ts';
import type { Queryable } from './stored-tree.ts';

/**
 * Changes with each change of the tables, their triggers or their trigger function. Without one, the owner of the tables can't
 * delete a record.
 */
const tableStamp = `
  select string_agg(concat_ws(' ', c.oid, c.relfilenode, t.oid, t.xmin, p.oid, p.xmin), ',' order by c.oid, t.oid) as stamp
  from pg_class c
  left join pg_trigger t on t.tgrelid = c.oid
  left join pg_proc p on p.oid = t.tgfoid
  where c.oid in (to_regclass('audit.audit_event'), to_regclass('audit.audit_seal'))`;

const countNew = `
  select l.log_id, s.size, coalesce(k.counted, 0) as counted,
    (select count(*) from audit.audit_event e
     where e.log_id = l.log_id and e.seq >= coalesce(k.counted, 0) and e.seq < s.size) as count
  from audit.audit_log l
  cross join lateral (
    select size from audit.audit_seal where log_id = l.log_id order by size desc limit 1
  ) as s
  left join unnest($1::text[], $2::bigint[]) as k (log_id, counted) on k.log_id = l.log_id`;

const firstMissing = `
  select seq from generate_series($2::bigint, $3::bigint - 1) as seq
  where not exists (select from audit.audit_event e where e.log_id = $1 and e.seq = seq.seq) limit 1`;

/** Notices deleted records: counts all at first and after each change of the tables, else the new ones. */
export class RecordCounts {
  #stamp: unknown;
  #counted: ReadonlyMap<string, number> = new Map();

  /** Call after what was read. @throws AuditBrokenError if a sealed record of any log is missing */
  async requireAll(db: Queryable): Promise<void> {
    const { rows: stamps } = await db.query(tableStamp);
    const stamp = stamps[0]?.['stamp'];
    const known = stamp === this.#stamp ? this.#counted : new Map<string, number>();
    const { rows } = await db.query(countNew, [[...known.keys()], [...known.values()]]);
    const counted = new Map<string, number>();
    for (const row of rows) {
      const logId = row['log_id'] as string;
      const [from, size] = [Number(row['counted']), Number(row['size'])];
      if (Number(row['count']) < size - from) {
        const { rows: missing } = await db.query(firstMissing, [logId, from, size]);
        const seq = Number(missing[0]?.['seq'] ?? from);
        throw new AuditBrokenError('gap', `Record ${seq} of log ${logId} is missing`, seq);
      }
      counted.set(logId, Math.max(from, size));
    }
    this.#stamp = stamp;
    this.#counted = counted;
  }
}
