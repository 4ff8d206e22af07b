import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PatientRow } from './index-chain.ts';

/** Most records that a posting spans: those of a transaction. */
export const postingSpan = 1000;

/**
 * Records by patient: one row per patient and transaction, since a row per record took ten times as long. `records` is a JSON
 * array of `2 * seq`, plus 1 if data was returned.
 */
export const postingSchema = `
  create table if not exists posting (
    user_id text not null, first integer not null, last integer not null, records text not null,
    primary key (user_id, first)) strict, without rowid;
  create index if not exists posting_first on posting (first);
`;

/** Collects the patients of records and writes them. */
export class PostingInserts {
  readonly #insert: StatementSync;
  readonly #marks = new Map<string, number[]>();

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('insert or replace into posting values (?, ?, ?, ?)');
  }

  add(seq: number, patients: Iterable<PatientRow>): void {
    for (const [userId, wasReturned] of patients) {
      const mark = 2 * seq + wasReturned;
      const marks = this.#marks.get(userId);
      if (marks === undefined) {
        this.#marks.set(userId, [mark]);
      } else {
        marks.push(mark);
      }
    }
  }

  flush(): void {
    // SQLite inserts fastest in key order.
    for (const userId of [...this.#marks.keys()].sort()) {
      this.#write(userId, this.#marks.get(userId) as number[]);
    }
    this.#marks.clear();
  }

  #write(userId: string, marks: readonly number[]): void {
    const [first, last] = [marks[0] as number, marks.at(-1) as number];
    this.#insert.run(userId, seqOf(first), seqOf(last), JSON.stringify(marks));
  }
}

/** Reads postings and checks them. */
export class Postings {
  readonly #between: StatementSync;

  constructor(db: DatabaseSync) {
    this.#between = db.prepare(
      'select user_id, first, last, records from posting where first > ? and first < ?',
    );
  }

  /** Patients by record; undefined if a posting is malformed. */
  of(from: number, to: number): Map<number, PatientRow[]> | undefined {
    const patients = new Map<number, PatientRow[]>();
    for (const row of this.#between.all(from - postingSpan, to)) {
      const marks = marksOf(row);
      if (marks === undefined) {
        return undefined;
      }
      for (const mark of marks) {
        const seq = seqOf(mark);
        if (seq >= from && seq < to) {
          const its = patients.get(seq) ?? [];
          its.push([String(row['user_id']), mark % 2]);
          patients.set(seq, its);
        }
      }
    }
    return patients;
  }
}

function seqOf(mark: number): number {
  return Math.floor(mark / 2);
}

/** Undefined unless ascending and within a transaction. */
function marksOf(row: Record<string, unknown>): readonly number[] | undefined {
  const { first, last, records } = row;
  let marks: unknown;
  try {
    marks = JSON.parse(String(records));
  } catch {
    return undefined;
  }
  if (!Array.isArray(marks) || !marks.every((one) => Number.isSafeInteger(one))) {
    return undefined;
  }
  const seqs = (marks as number[]).map(seqOf);
  const isWritten =
    seqs.length > 0 &&
    seqs[0] === first &&
    seqs.at(-1) === last &&
    Number(last) - Number(first) < postingSpan &&
    seqs.every((seq, at) => at === 0 || seq > (seqs[at - 1] as number));
  return isWritten ? (marks as number[]) : undefined;
}
