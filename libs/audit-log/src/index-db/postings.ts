import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Most records that a posting spans: those of a transaction. */
export const postingSpan = 1000;
/** Of a transaction: a record of a list has hundreds. */
const mostIds = 20_000;

/** One row per id and transaction: a row per record took ten times as long. `records` is a JSON array of their numbers. */
export const postingSchema = `
  create table if not exists posting (
    id text not null, first integer not null, last integer not null, records text not null,
    primary key (id, first)) strict, without rowid;
  create index if not exists posting_first on posting (first);
`;

export class PostingInserts {
  readonly #insert: StatementSync;
  readonly #records = new Map<string, number[]>();
  #count = 0;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('insert or replace into posting values (?, ?, ?, ?)');
  }

  /** Its ids are held in memory. */
  get isFull(): boolean {
    return this.#count >= mostIds;
  }

  add(seq: number, ids: readonly string[]): void {
    this.#count += ids.length;
    for (const id of ids) {
      const records = this.#records.get(id);
      if (records === undefined) {
        this.#records.set(id, [seq]);
      } else {
        records.push(seq);
      }
    }
  }

  flush(): void {
    // SQLite inserts fastest in key order.
    for (const id of [...this.#records.keys()].sort()) {
      const records = this.#records.get(id) as number[];
      const [first, last] = [records[0] as number, records.at(-1) as number];
      this.#insert.run(id, first, last, JSON.stringify(records));
    }
    this.#records.clear();
    this.#count = 0;
  }
}

export class Postings {
  readonly #between: StatementSync;
  /** By record. A posting has records behind its first: at most the ids of a transaction are ahead. */
  readonly #ids = new Map<number, string[]>();

  constructor(db: DatabaseSync) {
    this.#between = db.prepare(
      'select id, first, last, records from posting where first >= ? and first < ?',
    );
  }

  /** Of the next records. @returns whether all are as they were written */
  read(from: number, to: number): boolean {
    for (const row of this.#between.iterate(from, to)) {
      const records = recordsOf(row);
      if (records === undefined) {
        return false;
      }
      for (const seq of records) {
        const ids = this.#ids.get(seq);
        if (ids === undefined) {
          this.#ids.set(seq, [String(row['id'])]);
        } else {
          ids.push(String(row['id']));
        }
      }
    }
    return true;
  }

  /** Those of a record, in order, once. */
  take(seq: number): string[] {
    const ids = this.#ids.get(seq) ?? [];
    this.#ids.delete(seq);
    return ids.sort();
  }
}

function recordsOf({
  first,
  last,
  records,
}: Record<string, unknown>): readonly number[] | undefined {
  let seqs: unknown;
  try {
    seqs = JSON.parse(String(records));
  } catch {
    return undefined;
  }
  const isWritten =
    Array.isArray(seqs) &&
    seqs.length > 0 &&
    seqs[0] === first &&
    seqs.at(-1) === last &&
    Number(last) - Number(first) < postingSpan &&
    (seqs as unknown[]).every(
      (seq, at) => Number.isSafeInteger(seq) && (at === 0 || Number(seq) > Number(seqs[at - 1])),
    );
  return isWritten ? (seqs as number[]) : undefined;
}
