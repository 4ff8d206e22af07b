import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { writeDurably } from '../disk/write-durably.ts';
import { AuditBrokenError, AuditUnavailableError } from '../errors.ts';
import { acceptedBreaks } from './break/accepted-breaks.ts';
import { keptFolder } from './kept-checkpoints.ts';
import { PostgresLogReader } from './stored/log-reader.ts';
import { requireTriggers } from './stored/require-triggers.ts';
import {
  identityOf,
  requireSeal,
  sealColumns,
  sealOf,
  type Queryable,
} from './stored/stored-tree.ts';

/** Changes with the tables, columns, triggers and their function: while it does not, the owner can't alter or hide a record. */
const tableStamp = `
  select string_agg(
    concat_ws(' ', c.oid, c.relfilenode, c.xmin, t.oid, t.xmin, p.oid, p.xmin,
      (select md5(string_agg(concat_ws(' ', a.attnum, a.xmin), ',' order by a.attnum))
       from pg_attribute a where a.attrelid = c.oid)),
    ',' order by c.oid, t.oid) as stamp
  from pg_class c
  left join pg_trigger t on t.tgrelid = c.oid
  left join pg_proc p on p.oid = t.tgfoid
  where c.oid in (to_regclass('audit.audit_event'), to_regclass('audit.audit_seal'))`;

const newestSeals = `
  select l.log_id, l.origin, l.verifier_key, c.note, s.* from audit.audit_log l cross join lateral (
    select ${sealColumns} from audit.audit_seal where log_id = l.log_id order by size desc limit 1) as s
  left join lateral (
    select note from audit.audit_checkpoint where log_id = l.log_id order by size desc limit 1) as c on true`;

const countBetween = `
  select count(*)::int as count from audit.audit_event where log_id = $1 and seq >= $2 and seq < $3`;

const firstMissing = `
  select s.seq from generate_series($2::bigint, $3::bigint - 1) as s (seq)
  where not exists (select from audit.audit_event e where e.log_id = $1 and e.seq = s.seq) limit 1`;

/** A fraction of a second, far below any time limit of a statement. */
const recordsAtOnce = 1_000_000;
/** A reader waits so long; the proof goes on. */
const waitMs = 5000;
const retryAfterSeconds = 10;
/** Records proved before other requests have a turn. */
const provedAtOnce = 200;

interface Proof {
  readonly stamp: string;
  readonly done: Promise<void>;
}

/** Proves the tables for a reader that queries them. A start proves only what changed since the kept stamp. */
export class TableWatch {
  readonly #file: string;
  readonly #verifierKey: string;
  #setAside: Promise<ReadonlySet<string>> | undefined;
  #stamp: string | undefined;
  #proof: Proof | undefined;
  #provedRecords = 0;
  readonly #counted = new Map<string, number>();

  constructor(dataDir: string, verifierKey: string) {
    this.#file = join(dataDir, keptFolder, 'tables');
    this.#verifierKey = verifierKey;
    try {
      this.#stamp = readFileSync(this.#file, 'utf8');
    } catch {
      // Proved anew.
    }
  }

  /** Ids of the logs whose break was accepted: nothing of them is shown, as nothing is of a folder's. */
  setAside(db: Queryable): Promise<ReadonlySet<string>> {
    return (this.#setAside ??= acceptedBreaks(db, this.#verifierKey).catch((error: unknown) => {
      this.#setAside = undefined;
      throw error;
    }));
  }

  /**
   * Call after what was read: counts the records that are new since the last call, and proves all after a change of the tables.
   *
   * @throws AuditBrokenError if a sealed record of a log that is not set aside is missing or changed, a log is shorter, or its newest
   *   seal is by another key
   * @throws AuditUnavailableError while a proof takes longer than a reader waits
   */
  async requireWhole(db: Queryable): Promise<void> {
    const { rows: stamps } = await db.query(tableStamp);
    const stamp = String(stamps[0]?.['stamp']);
    const { rows } = await db.query(newestSeals);
    const setAside = await this.setAside(db);
    const logs = new Map(
      rows
        .map((row) => [identityOf(row), row] as const)
        .filter(([{ logId }]) => !setAside.has(logId))
        .map(([log, row]) => {
          return [log, requireSeal(log, sealOf(row), row['note'] as string | undefined).size];
        }),
    );
    const sizes = new Map([...logs].map(([{ logId }, size]) => [logId, size]));
    for (const [logId, size] of this.#counted) {
      const has = sizes.get(logId) ?? 0;
      if (has < size) {
        const what = `Log ${logId} has ${has} records, and had ${size}`;
        throw new AuditBrokenError('truncated', what, has);
      }
    }
    if (stamp !== this.#stamp) {
      await this.#proved(db, stamp);
    }
    for (const [log, size] of logs) {
      await this.#count(db, log.logId, size);
    }
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

  /** One proof of a stamp for all that wait. What broke it stays so until the tables are changed again. */
  async #proved(db: Queryable, stamp: string): Promise<void> {
    if (this.#proof?.stamp !== stamp) {
      const proof = { stamp, done: this.#prove(db, stamp) };
      this.#proof = proof;
      proof.done.catch((error: unknown) => {
        if (!(error instanceof AuditBrokenError) && this.#proof === proof) {
          this.#proof = undefined;
        }
      });
    }
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const what = `The tables of the audit log were changed: ${this.#provedRecords} records are proved again so far`;
        reject(new AuditUnavailableError(what, retryAfterSeconds));
      }, waitMs);
    });
    try {
      await Promise.race([this.#proof.done, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #prove(db: Queryable, stamp: string): Promise<void> {
    this.#provedRecords = 0;
    await requireTriggers(db);
    const setAside = await this.setAside(db);
    for (const log of await PostgresLogReader.all(db)) {
      if (setAside.has(log.identity().logId)) {
        continue;
      }
      for await (const item of log.records()) {
        this.#provedRecords += 'entry' in item ? 1 : 0;
        if (this.#provedRecords % provedAtOnce === 0) {
          await breathe();
        }
      }
    }
    this.#stamp = stamp;
    await this.#keep(stamp);
  }

  async #keep(stamp: string): Promise<void> {
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeDurably(this.#file, stamp);
    } catch {
      // The next start proves them again.
    }
  }
}
