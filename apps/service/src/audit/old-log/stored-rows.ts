import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredRecord } from './log-checks.ts';
import { AuditBrokenError } from '@caregate/audit-log';

const nodesAtOnce = 4096;
const recordsAtOnce = 128;
// 0x00 and 16 bytes of salt precede the body.
const prefixLength = 17;

/** The rows of a log in record order; each table is read once, in chunks. */
export class StoredRows {
  readonly #db: DatabaseSync;
  readonly #patients: Iterator<[seq: number, userId: string]>;
  readonly #nodes: StoredNodes;
  #patient: [seq: number, userId: string] | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#patients = iterate(db, 'select seq, user_id from audit_patient order by seq, user_id');
    this.#nodes = new StoredNodes(db);
    this.#nextPatient();
  }

  *records(): Generator<StoredRecord> {
    const next = this.#db.prepare('select min(seq) as seq from audit_event where seq >= ?');
    const pieces = new RecordPieces(this.#db);
    let from = next.get(Number.MIN_SAFE_INTEGER)?.['seq'] as number | null;
    while (from !== null) {
      yield* pieces.read(from);
      from = next.get(from + recordsAtOnce)?.['seq'] as number | null;
    }
  }

  /** Must be called for each record in order. */
  patientsOf(seq: number): string[] {
    const found: string[] = [];
    while (this.#patient !== undefined && this.#patient[0] <= seq) {
      // A patient added to an earlier record later appears as unexpected here.
      found.push(this.#patient[1]);
      this.#nextPatient();
    }
    return found;
  }

  /** Whether the next stored node of that level is this one. */
  isNextNode(level: number, index: number, hash: Buffer): boolean {
    return this.#nodes.isNext(level, index, hash);
  }

  requireNoneLeft(size: number): void {
    if (this.#patient !== undefined) {
      throw new AuditBrokenError('altered', 'Patients are listed for records that do not exist');
    }
    this.#nodes.requireCount(size);
  }

  #nextPatient(): void {
    const next = this.#patients.next();
    this.#patient = next.done === true ? undefined : next.value;
  }
}

/** Reads many records as three values, for the same reason as the nodes below. */
class RecordPieces {
  readonly #piece: StatementSync;
  readonly #rows: StatementSync;

  constructor(db: DatabaseSync) {
    const range = 'from audit_event where seq >= ? and seq < ? order by seq';
    const entry = `cast(x'00' || salt || body as blob)`;
    this.#piece = db.prepare(
      `select cast(group_concat(entry, '') as blob) as entries, count(entry) as whole,
              cast(group_concat(leaf_hash, '') as blob) as hashes, min(seq) as first,
              max(seq) as last, count(*) as count, group_concat(length) as lengths
       from (select seq, leaf_hash, ${entry} as entry, length(cast(body as blob)) as length ${range})`,
    );
    this.#rows = db.prepare(`select seq, leaf_hash, ${entry} ${range}`);
    this.#rows.setReturnArrays(true);
  }

  *read(from: number): Generator<StoredRecord> {
    const row = this.#piece.get(from, from + recordsAtOnce);
    const { first, count } = row as { first: number; count: number };
    const hashes = bufferOf(row?.['hashes']);
    const isWhole = row?.['whole'] === count && row['last'] === first + count - 1;
    if (!isWhole || hashes.length !== 32 * count) {
      yield* this.#rows.iterate(from, from + recordsAtOnce) as unknown as Iterable<StoredRecord>;
      return;
    }
    const entries = bufferOf(row['entries']);
    const lengths = String(row['lengths']).split(',');
    let start = 0;
    for (let at = 0; at < count; at += 1) {
      const end = start + prefixLength + Number(lengths[at]);
      yield [first + at, hashes.subarray(32 * at, 32 * at + 32), entries.subarray(start, end)];
      start = end;
    }
  }
}

interface Piece {
  readonly first: number;
  /** The hashes one after another; they end before the first that is missing. */
  readonly hashes: Buffer;
}

/** Reads thousands of nodes as one blob: single rows would take as long as the rest of the verification. */
class StoredNodes {
  readonly #db: DatabaseSync;
  readonly #read: StatementSync;
  readonly #levels: Piece[] = [];

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#read = db.prepare(
      `select cast(group_concat(hash, '' order by idx) as blob) as hashes, min(idx) as first,
              max(idx) as last, count(*) as count
       from audit_node where level = ? and idx >= ? and idx < ?`,
    );
  }

  isNext(level: number, index: number, hash: Buffer): boolean {
    let piece = this.#levels[level];
    if (piece === undefined || index >= piece.first + nodesAtOnce) {
      piece = this.#piece(level, index);
      this.#levels[level] = piece;
    }
    const at = 32 * (index - piece.first);
    return piece.hashes.compare(hash, 0, 32, at, Math.min(at + 32, piece.hashes.length)) === 0;
  }

  requireCount(size: number): void {
    let expected = 0;
    for (let count = Math.floor(size / 2); count > 0; count = Math.floor(count / 2)) {
      expected += count;
    }
    if (
      this.#db.prepare('select count(*) as count from audit_node').get()?.['count'] !== expected
    ) {
      throw new AuditBrokenError('altered', 'The tree has unexpected nodes');
    }
  }

  #piece(level: number, first: number): Piece {
    const row = this.#read.get(level, first, first + nodesAtOnce);
    const count = row?.['count'] as number;
    const isWhole = row?.['first'] === first && row['last'] === first + count - 1;
    return { first, hashes: isWhole ? bufferOf(row['hashes']) : this.#upToGap(level, first) };
  }

  #upToGap(level: number, first: number): Buffer {
    const hashes: Buffer[] = [];
    const rows = this.#db
      .prepare('select idx, hash from audit_node where level = ? and idx >= ? order by idx')
      .iterate(level, first);
    for (const row of rows) {
      if (row['idx'] !== first + hashes.length) {
        break;
      }
      hashes.push(bufferOf(row['hash']));
    }
    return Buffer.concat(hashes);
  }
}

function iterate<Row>(db: DatabaseSync, sql: string): Iterator<Row, undefined> & Iterable<Row> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement.iterate() as unknown as Iterator<Row, undefined> & Iterable<Row>;
}

function bufferOf(value: unknown): Buffer {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
