import type { KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import { sqliteCode } from '../disk/sqlite-lock.ts';
import { logPaths } from '../folder/layout.ts';
import type { LogReader } from '../folder/log-reader.ts';
import { requireLeaf } from '../log/log-source.ts';
import { chainStart, IndexChain, type ChainEnd } from './index-chain.ts';
import { FileStamp } from './file-stamp.ts';
import {
  IndexRows,
  Inserts,
  recordQuery,
  recordSchema,
  type IndexedMembers,
  type RecordQuery,
} from './index-rows.ts';
import { postingSchema, postingSpan } from './postings.ts';

/** Other processes wait for a transaction. */
const atOnce = postingSpan;
/** In memory with their ids. */
const verifiedAtOnce = 100;

const schema = `
  create table if not exists made_of (
    one integer primary key check (one = 1), log_id text not null, members text not null,
    size integer not null, chain blob not null, mac blob not null) strict;
  ${postingSchema}`;

const emptyEnd: ChainEnd = { size: 0, chain: chainStart };

class IndexChangedError extends Error {
  override readonly name = 'IndexChangedError';
}

export interface Span {
  readonly from: number;
  readonly below: number;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** Derived: what it finds is read from the log and checked. Its rows are authenticated, so that it can't hide any. */
export class LogIndex {
  readonly #file: string;
  readonly #log: LogReader;
  /** An index of other members is rebuilt. */
  readonly #members: IndexedMembers;
  readonly #chain: IndexChain;
  readonly #keys: number;
  readonly #stamp: FileStamp;
  #db: DatabaseSync;
  #version = 0;

  /** Remakes a file that is damaged, of another log or not by the key; without one it trusts no other process's index. */
  constructor(
    file: string,
    log: LogReader,
    { members, key }: { readonly members: IndexedMembers; readonly key: KeyObject | undefined },
  ) {
    this.#file = file;
    this.#log = log;
    this.#members = members;
    this.#stamp = new FileStamp(file);
    this.#chain = new IndexChain(key, log.identity().logId);
    this.#keys = log.keys().count;
    this.#db = this.#openOrRemake();
  }

  static of(dataDir: string, log: LogReader, members: IndexedMembers): LogIndex {
    const { index } = logPaths(resolve(dataDir));
    return new LogIndex(index, log, { members, key: log.signingKey() });
  }

  get size(): number {
    return Number(this.#db.prepare('select size from made_of').get()?.['size'] ?? 0);
  }

  /** Indexes all that the log has. Several processes may do this at once. */
  async catchUp(onProgress?: (records: number, of: number) => void): Promise<void> {
    await this.#catchUpOrRemake(this.#log.size(), onProgress);
  }

  /** Indexes at most this many records. Returns the size of the log. */
  async step(most: number): Promise<number> {
    const size = this.#log.size();
    await this.#catchUpOrRemake(Math.min(size, this.size + most));
    return size;
  }

  async #catchUpOrRemake(
    size: number,
    onProgress?: (records: number, of: number) => void,
  ): Promise<void> {
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

  /** Through SQLite or not, or the key of the log was: then reopen and verify. Writes past SQLite during a transaction of its own go unnoticed. */
  wasChanged(): boolean {
    return (
      this.#stamp.wasChanged() ||
      this.#dataVersion() !== this.#version ||
      this.#log.keys().count !== this.#keys
    );
  }

  wasReplaced(): boolean {
    return this.#stamp.wasReplaced();
  }

  /** Rebuilds the index unless all rows match the chain. */
  async verify(): Promise<void> {
    if (!(await this.#isWhole())) {
      this.#remake();
    }
  }

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

  find(query: RecordQuery, { order, from: first, ...span }: Span): number[] {
    const { sql, values } = recordQuery(this.#members, query, order);
    return this.#db
      .prepare(sql)
      .all({ ...values, first, ...span })
      .map(({ seq }) => Number(seq));
  }

  close(): void {
    this.#db.close();
  }

  async #catchUpTo(
    size: number,
    onProgress?: (records: number, of: number) => void,
  ): Promise<void> {
    const insert = new Inserts(this.#db, this.#members);
    while (this.size < size) {
      const done = this.#inTransaction(() => {
        const end = this.#end();
        const from = end.size;
        let to = Math.min(from + atOnce, size);
        let { chain } = end;
        for (const item of from < to ? this.#log.read(from, to) : []) {
          if ('entry' in item) {
            // An altered record would be indexed under its new content.
            requireLeaf(item);
            chain = insert.add(item.seq, item.entry, chain);
            if (insert.isFull) {
              to = item.seq + 1;
              break;
            }
          }
        }
        insert.flush();
        if (from < to) {
          this.#setEnd({ size: to, chain });
        }
        return Math.max(from, to);
      });
      onProgress?.(done, size);
      await breathe();
    }
  }

  async #isWhole(): Promise<boolean> {
    const { size, chain } = this.#end();
    const rows = new IndexRows(this.#db);
    let found: Buffer | undefined = chainStart;
    for (let from = 0; from < size && found !== undefined; from += verifiedAtOnce) {
      found = rows.extend(found, from, Math.min(from + verifiedAtOnce, size));
      await breathe();
    }
    return found?.equals(chain) === true;
  }

  #end(): ChainEnd {
    const row = this.#db.prepare('select size, chain, mac from made_of').get();
    const end = {
      size: Number(row?.['size']),
      chain: Buffer.from((row?.['chain'] as Uint8Array | undefined) ?? []),
    };
    if (row === undefined || !this.#chain.holds(end, row['mac'] as Uint8Array)) {
      throw new IndexChangedError('The index was not made with the key of this log');
    }
    return end;
  }

  #setEnd(end: ChainEnd): void {
    this.#db
      .prepare('update made_of set size = ?, chain = ?, mac = ?')
      .run(end.size, end.chain, this.#chain.mac(end));
  }

  #openOrRemake(): DatabaseSync {
    let db: DatabaseSync | undefined;
    try {
      db = this.#open();
      this.#db = db;
      const row = db.prepare('select log_id, members from made_of').get();
      const { size } = this.#end();
      if (
        row?.['log_id'] === this.#log.identity().logId &&
        row['members'] === JSON.stringify(this.#members) &&
        size <= this.#log.size()
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
      db.exec(schema + recordSchema(this.#members));
      // An insert would wait for another process that writes, even where there is nothing to insert.
      if (db.prepare('select 1 from made_of').get() === undefined) {
        db.prepare(
          `insert into made_of (one, log_id, members, size, chain, mac) values (1, ?, ?, 0, ?, ?)
           on conflict (one) do nothing`,
        ).run(
          this.#log.identity().logId,
          JSON.stringify(this.#members),
          chainStart,
          this.#chain.mac(emptyEnd),
        );
      }
      this.#stamp.take();
      this.#version = this.#dataVersion(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Changes when another connection writes. */
  #dataVersion(db = this.#db): number {
    return Number(db.prepare('pragma data_version').get()?.['data_version']);
  }

  #remake(): void {
    this.#db.close();
    this.#removeFiles();
    this.#db = this.#open();
  }

  #clear(): void {
    this.#inTransaction(() => {
      this.#db.exec('delete from posting; delete from record');
      this.#setEnd(emptyEnd);
    });
  }

  #removeFiles(): void {
    for (const part of ['', '-wal', '-shm']) {
      rmSync(`${this.#file}${part}`, { force: true });
    }
  }

  #inTransaction<T>(work: () => T): T {
    this.#stamp.check();
    this.#db.exec('begin immediate');
    try {
      const result = work();
      this.#db.exec('commit');
      this.#stamp.take();
      return result;
    } catch (error) {
      try {
        this.#db.exec('rollback');
      } catch {
        // SQLite has usually rolled back already; report the first error.
      }
      throw error;
    }
  }
}

const sqliteError = 1;
const corrupt = 11;
const notADatabase = 26;

/** The file is damaged, has other tables, or was not written with the key. */
function isDamage(error: unknown): boolean {
  const isKnown = [sqliteError, corrupt, notADatabase].includes(sqliteCode(error) ?? 0);
  return isKnown || error instanceof IndexChangedError;
}
