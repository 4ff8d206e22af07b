import { AuditBrokenError } from '../../errors.ts';
import { provenRecords } from '../../export/proven-records.ts';
import { PostgresLogReader } from './log-reader.ts';
import { identityOf, requireSeal, sealColumns, sealOf, type Queryable } from './stored-tree.ts';

/**
 * Changes with each change of the tables, their triggers or their trigger function. Without one, the owner of the tables can't
 * delete or change a record.
 */
const tableStamp = `
  select string_agg(concat_ws(' ', c.oid, c.relfilenode, t.oid, t.xmin, p.oid, p.xmin), ',' order by c.oid, t.oid) as stamp
  from pg_class c
  left join pg_trigger t on t.tgrelid = c.oid
  left join pg_proc p on p.oid = t.tgfoid
  where c.oid in (to_regclass('audit.audit_event'), to_regclass('audit.audit_seal'))`;

const newestSeals = `
  select l.log_id, l.origin, l.verifier_key, s.* from audit.audit_log l cross join lateral (
    select ${sealColumns} from audit.audit_seal where log_id = l.log_id order by size desc limit 1) as s`;

const countBetween = `
  select count(*)::int as count from audit.audit_event where log_id = $1 and seq >= $2 and seq < $3`;

const firstMissing = `
  select s.seq from generate_series($2::bigint, $3::bigint - 1) as s (seq)
  where not exists (select from audit.audit_event e where e.log_id = $1 and e.seq = s.seq) limit 1`;

/** A fraction of a second, far below any time limit of a statement. */
const recordsAtOnce = 1_000_000;

/** Notices records that the owner of the tables deleted or changed, for a reader that asks the tables what matches. */
export class TableWatch {
  #stamp: unknown;
  /** Records of each log that were counted. */
  readonly #counted = new Map<string, number>();

  /**
   * Call after what was read. Counts the records that are new since the last call, all at first; reads and proves all records
   * after a change of the tables.
   *
   * @throws AuditBrokenError if a sealed record of any log is missing or was changed, a log is shorter than it was, or its newest
   *   seal is not by its key
   */
  async requireWhole(db: Queryable): Promise<void> {
    const { rows: stamps } = await db.query(tableStamp);
    const stamp = stamps[0]?.['stamp'];
    this.#stamp ??= stamp;
    const { rows } = await db.query(newestSeals);
    const logs = new Map(
      rows.map((row) => [identityOf(row), requireSeal(identityOf(row), sealOf(row)).size]),
    );
    const sizes = new Map([...logs].map(([{ logId }, size]) => [logId, size]));
    for (const [logId, size] of this.#counted) {
      const has = sizes.get(logId) ?? 0;
      if (has < size) {
        const what = `Log ${logId} has ${has} records, and had ${size}`;
        throw new AuditBrokenError('truncated', what, has);
      }
    }
    for (const [log, size] of logs) {
      if (stamp !== this.#stamp) {
        await readAll(new PostgresLogReader(db, log));
      }
      await this.#count(db, log.logId, size);
    }
    this.#stamp = stamp;
  }

  async #count(db: Queryable, logId: string, size: number): Promise<void> {
    for (let from = this.#counted.get(logId) ?? 0; from < size;) {
      const to = Math.min(size, from + recordsAtOnce);
      const { rows } = await db.query(countBetween, [logId, from, to]);
      if (rows[0]?.['count'] !== to - from) {
        const { rows: missing } = await db.query(firstMissing, [logId, from, to]);
        const seq = Number(missing[0]?.['seq'] ?? from);
        throw new AuditBrokenError('gap', `Record ${seq} of log ${logId} is missing`, seq);
      }
      this.#counted.set(logId, to);
      from = to;
    }
  }
}

async function readAll(log: PostgresLogReader): Promise<void> {
  for await (const item of provenRecords(log)) {
    void item;
  }
}
