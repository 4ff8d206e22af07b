import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseBody, type RecordBody } from '../entry/record-body.ts';
import { link, type PatientRow, type RecordRow } from './index-chain.ts';
import { PostingInserts, Postings } from './postings.ts';

const saltLength = 16;

export class Inserts {
  readonly #record: StatementSync;
  readonly #postings: PostingInserts;

  constructor(db: DatabaseSync) {
    this.#record = db.prepare('insert or replace into record values (?, ?, ?, ?, ?, ?)');
    this.#postings = new PostingInserts(db);
  }

  add(seq: number, entry: Buffer, before: Buffer): Buffer {
    const body = parseBody(entry.toString('utf8', saltLength));
    const { recorded_at_us: at, team_id: team, actor_id: actor, operation, decision } = body;
    const row: RecordRow = [seq, at, team, actor, operation, decision];
    this.#record.run(...row);
    const patients = patientsOf(body);
    this.#postings.add(seq, patients);
    return link(before, row, patients);
  }

  flush(): void {
    this.#postings.flush();
  }
}

export class IndexRows {
  readonly #records: StatementSync;
  readonly #postings: Postings;

  constructor(db: DatabaseSync) {
    this.#records = db.prepare('select * from record where seq >= ? and seq < ? order by seq');
    this.#postings = new Postings(db);
  }

  /** The chain with these records; undefined if one is missing, or a patient has no record. */
  extend(before: Buffer, from: number, to: number): Buffer | undefined {
    const records = this.#records.all(from, to);
    const patients = this.#postings.of(from, to);
    if (patients === undefined || records.length !== to - from) {
      return undefined;
    }
    let chain = before;
    for (const [place, record] of records.entries()) {
      const row = Object.values(record) as unknown as RecordRow;
      const [seq] = row;
      if (seq !== from + place) {
        return undefined;
      }
      chain = link(chain, row, inOrder(patients.get(seq) ?? []));
    }
    return chain;
  }
}

/** Returned and requested patients, each once, in order. */
function patientsOf({ patients, details }: RecordBody): PatientRow[] {
  const requested = details['asked_user_id'];
  const rows = patients.map((userId): PatientRow => [userId, 1]);
  if (typeof requested === 'string' && !patients.includes(requested)) {
    rows.push([requested, 0]);
  }
  return rows.every(isBehind) ? rows : inOrder([...new Map(rows)]);
}

function isBehind([userId]: PatientRow, at: number, rows: readonly PatientRow[]): boolean {
  const [before] = rows[at - 1] ?? [''];
  return at === 0 || before < userId;
}

function inOrder(patients: PatientRow[]): PatientRow[] {
  return patients.sort(([one, isOne], [other, isOther]) =>
    one === other ? isOne - isOther : one < other ? -1 : 1,
  );
}
