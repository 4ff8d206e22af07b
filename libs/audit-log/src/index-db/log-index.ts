import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import { sqliteCode } from '../disk/sqlite-code.ts';
import { parseBody } from '../entry/record-body.ts';
import type { LogReader } from '../folder/log-reader.ts';
import { filterQuery, type RecordFilter } from './record-filter.ts';

const saltLength = 16;
/** Records of a transaction: others wait for it. */
const atOnce = 1000;

const schema = `
  create table if not exists made_of (
    one integer primary key check (one = 1), log_id text not null, format integer not null,
    first integer not null, size integer not null) strict;
  create table if not exists record (
    seq integer primary key, recorded_at_us integer not null, team_id text, actor_id text,
    operation text not null, decision text not null) strict;
  create index if not exists record_time on record (recorded_at_us);
  create index if not exists record_team on record (team_id, seq);
  create index if not exists record_actor on record (actor_id, seq);
  create index if not exists record_operation on record (operation, seq);
  create index if not exists record_refused on record (decision, seq) where decision <> 'allowed';
  create table if not exists patient (
    user_id text not null, seq integer not null, was_returned integer not null,
    primary key (user_id, seq)) strict, without rowid;
  create index if not exists patient_seq on patient (seq);
`;
const format = 1;

export interface Span {
  readonly from: number;
  readonly below: number;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/**
 * Who, when, which patient: finds records of a log. Made of the log, can be deleted at any time, and is never asked for
 * truth: what it finds is to be read from the log, and checked against the filter.
 */
export class LogIndex {
  readonly #file: string;
  readonly #log: LogReader;
  #db: DatabaseSync;

  /** @param file made anew if it is missing, damaged, or of another log */
  constructor(file: string, log: LogReader) {
    this.#file = file;
    this.#log = log;
    this.#db = this.#openOrRemake();
  }

  /** Number of records that it knows. */
  get size(): number {
    return Number(this.#db.prepare('select size from made_of').get()?.['size'] ?? 0);
  }

  /** Takes in what the log has and the index has not. Several processes may do this at once. */
  async catchUp(onProgress?: (records: number, of: number) => void): Promise<void> {
    const size = this.#log.size();
    try {
      await this.#catchUpTo(size, onProgress);
    } catch (error) {
      if (!isDamage(error)) {
        throw error;
      }
      this.#remake();
      await this.#catchUpTo(size, onProgress);
    }
  }

  /** Forgets everything and takes in the log again. */
  async rebuild(onProgress?: (records: number, of: number) => void): Promise<void> {
    try {
      this.#clear();
    } catch (error) {
      if (!isDamage(error)) {
        throw error;
      }
      this.#remake();
    }
    await this.catchUp(onProgress);
  }

  /** Numbers of records that match, as far as the index goes. */
  find(filter: RecordFilter, { order, ...span }: Span): number[] {
    const { sql, values } = filterQuery(filter, order);
    return this.#db
      .prepare(sql)
      .all({ ...values, ...span })
      .map(({ seq }) => Number(seq));
  }

  /** The part of the log with records from these times; clocks can change, so each record in it is to be checked. */
  span({ fromUs, toUs }: Pick<RecordFilter, 'fromUs' | 'toUs'>): { from: number; below: number } {
    if (fromUs === undefined && toUs === undefined) {
      return { from: 0, below: this.size };
    }
    const row = this.#db
      .prepare(
        `select min(seq) as first, max(seq) as last from record
         where recorded_at_us >= ? and recorded_at_us <= ?`,
      )
      .get(fromUs ?? 0, toUs ?? Number.MAX_SAFE_INTEGER);
    return { from: Number(row?.['first'] ?? 0), below: Number(row?.['last'] ?? -1) + 1 };
  }

  close(): void {
    this.#db.close();
  }

  async #catchUpTo(
    size: number,
    onProgress?: (records: number, of: number) => void,
  ): Promise<void> {
    this.#forgetErased();
    const insert = new Inserts(this.#db);
    while (this.size < size) {
      const done = this.#inTransaction(() => {
        const from = this.size;
        const to = Math.min(from + atOnce, size);
        for (const item of from < to ? this.#log.read(from, to) : []) {
          if ('entry' in item && item.entry !== undefined) {
            insert.add(item.seq, item.entry);
          }
        }
        this.#db.prepare('update made_of set size = max(size, ?)').run(to);
        return to;
      });
      onProgress?.(done, size);
      await breathe();
    }
  }

  /** Patients of erased records must not stay here. */
  #forgetErased(): void {
    const first = this.#log.firstKept();
    if (Number(this.#db.prepare('select first from made_of').get()?.['first']) < first) {
      this.#inTransaction(() => {
        this.#db.prepare('delete from patient where seq < ?').run(first);
        this.#db.prepare('delete from record where seq < ?').run(first);
        this.#db.prepare('update made_of set first = ?').run(first);
      });
      this.#db.exec('pragma wal_checkpoint(truncate)');
    }
  }

  #openOrRemake(): DatabaseSync {
    let db: DatabaseSync | undefined;
    try {
      db = this.#open();
      const row = db.prepare('select log_id, format, size from made_of').get();
      if (
        row?.['log_id'] === this.#log.identity().logId &&
        row['format'] === format &&
        Number(row['size']) <= this.#log.size()
      ) {
        return db;
      }
    } catch (error) {
      if (!isDamage(error)) {
        db?.close();
        throw error;
      }
    }
    db?.close();
    this.#removeFiles();
    return this.#open();
  }

  #open(): DatabaseSync {
    const db = new DatabaseSync(this.#file, { timeout: 10_000, allowExtension: false });
    try {
      db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on');
      db.exec(schema);
      db.prepare(
        `insert into made_of (one, log_id, format, first, size) values (1, ?, ?, 0, 0)
         on conflict (one) do nothing`,
      ).run(this.#log.identity().logId, format);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #remake(): void {
    this.#db.close();
    this.#removeFiles();
    this.#db = this.#open();
  }

  #clear(): void {
    this.#inTransaction(() => {
      this.#db.exec(
        'delete from patient; delete from record; update made_of set first = 0, size = 0',
      );
    });
  }

  #removeFiles(): void {
    for (const part of ['', '-wal', '-shm']) {
      rmSync(`${this.#file}${part}`, { force: true });
    }
  }

  #inTransaction<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      try {
        this.#db.exec('rollback');
      } catch {
        // SQLite has already rolled back after most failures; report the first error.
      }
      throw error;
    }
  }
}

class Inserts {
  readonly #record: StatementSync;
  readonly #patient: StatementSync;

  constructor(db: DatabaseSync) {
    this.#record = db.prepare('insert or replace into record values (?, ?, ?, ?, ?, ?)');
    this.#patient = db.prepare('insert or ignore into patient values (?, ?, ?)');
  }

  add(seq: number, entry: Buffer): void {
    const body = parseBody(entry.toString('utf8', saltLength));
    const { recorded_at_us: at, team_id: team, actor_id: actor, operation, decision } = body;
    this.#record.run(seq, at, team, actor, operation, decision);
    for (const userId of body.patients) {
      this.#patient.run(userId, seq, 1);
    }
    const asked = body.details['asked_user_id'];
    if (typeof asked === 'string') {
      this.#patient.run(asked, seq, 0);
    }
  }
}

const sqliteError = 1;
const corrupt = 11;
const notADatabase = 26;

/** The file is damaged, or has other tables. */
function isDamage(error: unknown): boolean {
  return [sqliteError, corrupt, notADatabase].includes(sqliteCode(error) ?? 0);
}
