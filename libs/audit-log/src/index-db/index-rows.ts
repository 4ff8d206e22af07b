import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseBody } from '../entry/record-body.ts';
import { link, type PatientRow, type RecordRow } from './index-chain.ts';

const saltLength = 16;

/** Writes rows. */
export class Inserts {
  readonly #record: StatementSync;
  readonly #patient: StatementSync;

  constructor(db: DatabaseSync) {
    this.#record = db.prepare('insert or replace into record values (?, ?, ?, ?, ?, ?)');
    this.#patient = db.prepare('insert or ignore into patient values (?, ?, ?)');
  }

  /** Adds a record, and gives the chain with it. */
  add(seq: number, entry: Buffer, before: Buffer): Buffer {
    const body = parseBody(entry.toString('utf8', saltLength));
    const { recorded_at_us: at, team_id: team, actor_id: actor, operation, decision } = body;
    const row: RecordRow = [seq, at, team, actor, operation, decision];
    this.#record.run(...row);
    const patients = new Map<string, number>(body.patients.map((userId) => [userId, 1]));
    const asked = body.details['asked_user_id'];
    if (typeof asked === 'string' && !patients.has(asked)) {
      patients.set(asked, 0);
    }
    for (const [userId, wasReturned] of patients) {
      this.#patient.run(userId, seq, wasReturned);
    }
    return link(before, row, inOrder([...patients]));
  }
}

/** Reads rows. */
export class IndexRows {
  readonly #records: StatementSync;
  readonly #patients: StatementSync;
  readonly #below: StatementSync;

  constructor(db: DatabaseSync) {
    this.#records = db.prepare('select * from record where seq >= ? and seq < ? order by seq');
    this.#patients = db.prepare(
      'select seq, user_id, was_returned from patient where seq >= ? and seq < ? order by seq',
    );
    this.#below = db.prepare(
      `select (select count(*) from record where seq < $first) +
        (select count(*) from patient where seq < $first) as rows`,
    );
  }

  /** The chain with the records of these numbers; undefined if one of them is missing, or a patient is of none. */
  extend(before: Buffer, from: number, to: number): Buffer | undefined {
    const records = this.#records.all(from, to);
    const patients = this.#patients.all(from, to);
    let chain = before;
    let at = 0;
    for (const [place, record] of records.entries()) {
      const row = Object.values(record) as unknown as RecordRow;
      const [seq] = row;
      if (seq !== from + place) {
        return undefined;
      }
      const its: PatientRow[] = [];
      for (; patients[at]?.['seq'] === seq; at += 1) {
        its.push([String(patients[at]?.['user_id']), Number(patients[at]?.['was_returned'])]);
      }
      chain = link(chain, row, inOrder(its));
    }
    return records.length === to - from && at === patients.length ? chain : undefined;
  }

  /** Rows of records before this one. */
  countBelow(first: number): number {
    return Number(this.#below.get({ first })?.['rows']);
  }
}

function inOrder(patients: PatientRow[]): PatientRow[] {
  return patients.sort(([one], [other]) => (one < other ? -1 : 1));
}
